/** In which language the page speaks: as the reader chose, or else the first of the browser's that it knows. */

const KEY = 'sabretache.language';

/** Each by its own name. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', fr: 'Français' } as const;

export type Language = keyof typeof LANGUAGES;

const known = (name: string | null | undefined): name is Language => name !== null && name !== undefined && Object.hasOwn(LANGUAGES, name);

/** The language for somebody who chose this (or nothing) and whose browser asks for these, the dearest first. */
export function languageFor(chosen: string | null, asked: readonly string[]): Language {
  if (known(chosen)) return chosen;
  return asked.map((one) => one.split('-')[0]).find(known) ?? 'en';
}

const inBrowser = typeof document !== 'undefined';
const now: Language = inBrowser ? languageFor(localStorage.getItem(KEY), navigator.languages) : 'en';
if (inBrowser) document.documentElement.lang = now;

export const language = {
  now,
  /** Everything is said anew, so the page is loaded anew. */
  choose(name: string) {
    if (!known(name)) return;
    localStorage.setItem(KEY, name);
    location.reload();
  },
};
