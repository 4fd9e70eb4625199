/** The line to a battle: a WebSocket that comes back by itself, with an answer for each request. */

import type { AidesNow } from '../protocol/AidesNow';
import type { BattleInfo } from '../protocol/BattleInfo';
import type { ClientMessage } from '../protocol/ClientMessage';
import type { Players } from '../protocol/Players';
import type { Reply } from '../protocol/Reply';
import type { Request } from '../protocol/Request';
import type { RollingNow } from '../protocol/RollingNow';
import type { SeatName } from '../protocol/SeatName';
import type { ServerMessage } from '../protocol/ServerMessage';
import type { WantedThrow } from '../protocol/WantedThrow';

export interface Listener {
  hello(info: BattleInfo): void;
  news(lines: number, reply: Reply): void;
  players(players: Players): void;
  aides(aides: AidesNow): void;
  reveal(rolling: RollingNow): void;
  wanted(wanted: WantedThrow | null): void;
  open(open: boolean): void;
  /** Somebody came, went or spoke beside the battle. */
  beside(message: ServerMessage): void;
}

/** The line broke before the answer came. What was asked may or may not have been done. */
export class Broken extends Error {}

const SHORTEST_WAIT = 250;
const LONGEST_WAIT = 8_000;

export class Line {
  private socket: WebSocket | null = null;
  private next = 1;
  private wait = SHORTEST_WAIT;
  private closed = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly waiting = new Map<number, { answer: (lines: number, reply: Reply) => void; broken: () => void }>();

  constructor(
    private readonly id: string,
    private readonly secrets: string[],
    private readonly listener: Listener,
  ) {
    this.connect();
    addEventListener('online', this.hurry);
  }

  private connect() {
    const address = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/battles/${this.id}/socket`;
    const socket = new WebSocket(address, ['sabretache.v1', ...this.secrets.map((secret) => `seat.${secret}`)]);
    this.socket = socket;
    socket.onopen = () => {
      this.wait = SHORTEST_WAIT;
      this.listener.open(true);
    };
    socket.onmessage = (event) => this.hear(JSON.parse(String(event.data)) as ServerMessage);
    socket.onclose = () => this.lost();
  }

  private hear(message: ServerMessage) {
    switch (message.type) {
      case 'hello':
        this.listener.hello(message.info);
        break;
      case 'news':
        this.listener.news(message.lines, message.reply);
        break;
      case 'players':
        this.listener.players(message.players);
        break;
      case 'aides':
        this.listener.aides(message.aides);
        break;
      case 'throw':
        this.listener.wanted(message.wanted);
        break;
      case 'company':
      case 'word':
        this.listener.beside(message);
        break;
      case 'reveal':
        this.listener.reveal(message.rolling);
        break;
      case 'answer': {
        const asked = this.waiting.get(message.id);
        this.waiting.delete(message.id);
        asked?.answer(message.lines, message.reply);
      }
    }
  }

  private lost() {
    this.socket = null;
    for (const { broken } of this.waiting.values()) broken();
    this.waiting.clear();
    if (this.closed) return;
    this.listener.open(false);
    this.timer = setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  /** The network is back: do not wait any longer. */
  private readonly hurry = () => {
    if (this.socket || this.closed) return;
    clearTimeout(this.timer);
    this.connect();
  };

  /** Asks, and waits for the answer. */
  ask(request: Request, speaker: SeatName | null): Promise<{ lines: number; reply: Reply }> {
    return new Promise((resolve, reject) => {
      if (this.socket?.readyState !== WebSocket.OPEN) {
        reject(new Broken());
        return;
      }
      const message: ClientMessage = { id: this.next++, as: speaker, request };
      this.waiting.set(message.id, {
        answer: (lines, reply) => resolve({ lines, reply }),
        broken: () => reject(new Broken()),
      });
      this.socket.send(JSON.stringify(message));
    });
  }

  /** Hangs up for good. */
  close() {
    this.closed = true;
    removeEventListener('online', this.hurry);
    clearTimeout(this.timer);
    this.socket?.close();
  }
}
