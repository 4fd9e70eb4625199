/** A small bell, made here: no file, no noise where nobody wants it. */

const KEY = 'sabretache.bell';

export const bell = {
  get on(): boolean {
    return localStorage.getItem(KEY) !== 'off';
  },
  set on(on: boolean) {
    localStorage.setItem(KEY, on ? 'on' : 'off');
  },
};

/** It is for us to decide, or somebody speaks. Only for one who looks elsewhere. */
export function ring(what: 'turn' | 'word') {
  if (!bell.on || document.visibilityState === 'visible' || typeof AudioContext === 'undefined') return;
  const context = new AudioContext();
  const tones = what === 'turn' ? [660, 880] : [740];
  tones.forEach((tone, i) => {
    const [sound, loud] = [context.createOscillator(), context.createGain()];
    const at = context.currentTime + i * 0.18;
    sound.frequency.value = tone;
    loud.gain.setValueAtTime(0.12, at);
    loud.gain.exponentialRampToValueAtTime(0.001, at + 0.5);
    sound.connect(loud).connect(context.destination);
    sound.start(at);
    sound.stop(at + 0.5);
  });
  setTimeout(() => void context.close(), 1_500);
}
