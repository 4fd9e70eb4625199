/** Whether what needs no dice and can be taken back is done without being confirmed, as the reader likes it. */

const KEY = 'sabretache.ease';

class Ease {
  unconfirmed = $state(typeof localStorage !== 'undefined' && localStorage.getItem(KEY) === 'unconfirmed');

  toggle() {
    this.unconfirmed = !this.unconfirmed;
    localStorage.setItem(KEY, this.unconfirmed ? 'unconfirmed' : 'confirmed');
  }
}

export const ease = new Ease();
