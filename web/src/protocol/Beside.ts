import type { CompanyNow } from "./CompanyNow";
import type { NoticesNow } from "./NoticesNow";
import type { Word } from "./Word";

export type Beside = { company: CompanyNow, words: Array<Word>, notices: NoticesNow };
