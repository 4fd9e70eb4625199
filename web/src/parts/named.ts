/** What is read out of a button holds the word that is seen on it: whoever speaks to the page says what he sees. */
export const named = (word: string, title: string): string => (title.toLowerCase().includes(word.toLowerCase()) ? title : `${title}: ${word}`);
