/** Daylight or lamplight: as the reader's system has it, until the reader says otherwise. */

const KEY = 'sabretache.light';

class Light {
  dark = $state(false);

  constructor() {
    const system = matchMedia('(prefers-color-scheme: dark)');
    const chosen = localStorage.getItem(KEY);
    this.dark = chosen ? chosen === 'dark' : system.matches;
    system.addEventListener('change', (event) => {
      if (!localStorage.getItem(KEY)) this.show(event.matches);
    });
    this.show(this.dark);
  }

  private show(dark: boolean) {
    this.dark = dark;
    document.documentElement.dataset.light = dark ? 'dark' : 'day';
  }

  toggle() {
    this.show(!this.dark);
    localStorage.setItem(KEY, this.dark ? 'dark' : 'day');
  }
}

export const light = new Light();
