/** A line to a battle beside the page: what a test wants done without hands goes over it. */
import { expect, type Page } from '@playwright/test';
import type { BattleMade } from '../src/protocol/BattleMade';
import type { Decision } from '../src/protocol/Decision';
import type { OfferView } from '../src/protocol/OfferView';
import type { Reply } from '../src/protocol/Reply';
import type { Request } from '../src/protocol/Request';
import type { Value } from '../src/protocol/Value';

interface Lines {
  lines?: Record<string, WebSocket>;
}

/** Asks a battle with a secret, over a socket that the page keeps open. */
export async function ask(page: Page, id: string, secret: string, request: Request): Promise<Reply> {
  return page.evaluate(
    async ({ id, secret, request }) => {
      const kept = ((window as unknown as Lines).lines ??= {});
      const key = `${id} ${secret}`;
      const open = async () => {
        const socket = new WebSocket(`ws://${location.host}/api/battles/${id}/socket`, ['sabretache.v1', `seat.${secret}`]);
        await new Promise((done) => (socket.onopen = done));
        return socket;
      };
      const socket = (kept[key] ??= await open());
      const number = Math.floor(Math.random() * 1e9);
      return new Promise<Reply>((done) => {
        const hear = (event: MessageEvent) => {
          const message = JSON.parse(String(event.data)) as { type: string; id?: number; reply?: Reply };
          if (message.type !== 'answer' || message.id !== number || !message.reply) return;
          socket.removeEventListener('message', hear);
          done(message.reply);
        };
        socket.addEventListener('message', hear);
        socket.send(JSON.stringify({ id: number, as: null, request }));
      });
    },
    { id, secret, request },
  );
}

export async function decisionOf(page: Page, { id, secrets }: BattleMade): Promise<Decision> {
  const reply = await ask(page, id, secrets.umpire, { type: 'decision', closed: false });
  if (reply.type !== 'decision') throw new Error(reply.type);
  return reply;
}

/** Any value that an offer takes; nothing where a place has to be found for it. */
export function someValue({ input }: OfferView): Value | null {
  switch (input.kind) {
    case 'none':
      return 'none';
    case 'distance':
      return { distance: input.most };
    case 'wheel':
      return { wheel: input.most_left || input.most_right };
    case 'formation':
      return { formation: input.of[0] ?? '' };
    case 'units':
      return { units: input.of.slice(0, Math.max(1, input.least)) };
    case 'number':
      return { number: input.least };
    default:
      return null;
  }
}

/** Plays like somebody who wants to get at the enemy: shoots, charges, advances, and does nothing for ever. */
export class Eager {
  private readonly tried = new Map<string, number>();

  private worth(offer: OfferView): number {
    const forward = /advance|charge|fight|shoot/.test(offer.act) ? 20 : /retire|wheel|form|halt|evade|face|sight/.test(offer.act) ? -30 : 0;
    const order = offer.group === 'order' ? (offer.leads_to === 'advance' ? 30 : -10) : offer.group === 'end' ? -5 : 0;
    return forward + order + (offer.handle.by === 'target' ? 10 : 0) - 12 * (this.tried.get(offer.key) ?? 0);
  }

  async step(page: Page, made: BattleMade, decision: Decision) {
    const choose = (offer: OfferView, value: Value) =>
      ask(page, made.id, made.secrets.umpire, { type: 'choose', offer: offer.key, value, moment: decision.moment, dice: [], reveals: {}, despite: false, whole: true });
    for (const offer of decision.offers.toSorted((a, b) => this.worth(b) - this.worth(a))) {
      const value = someValue(offer);
      if (value === null) continue;
      this.tried.set(offer.key, (this.tried.get(offer.key) ?? 0) + 1);
      if ((await choose(offer, value)).type === 'moment') return;
    }
    expect(null, `nothing can be done at moment ${decision.moment}`).not.toBeNull();
  }
}
