import { DurableObject } from 'cloudflare:workers';
import { answer, answerProblem } from './answer.ts';
import type { Bindings, MerchantRecord, MerchantsCalls } from './bindings.ts';
import { type MerchantList, openMerchantList } from './merchant-list.ts';

/** The object that lists the merchants of a hosted sandbox, and answers the calls over all of them. */
export class MerchantsObject extends DurableObject<Bindings> implements MerchantsCalls {
  #list: Promise<MerchantList> | undefined;

  async fetch(request: Request): Promise<Response> {
    try {
      const { opened } = await this.#open();
      return await answer(opened, request, this.ctx);
    } catch (error) {
      return answerProblem(error);
    }
  }

  async admit(apiKey: string): Promise<MerchantRecord | undefined> {
    return (await this.#open()).admit(apiKey);
  }

  #open(): Promise<MerchantList> {
    this.#list ??= openMerchantList(this.ctx.storage, this.env).catch((error) => {
      this.#list = undefined;
      throw error;
    });
    return this.#list;
  }
}
