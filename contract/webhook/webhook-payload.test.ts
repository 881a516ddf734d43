import { describe, expect, it } from 'vitest';
import type { Feedback } from '../feedback/feedback.ts';
import { WEBHOOK_FORMATS, WEBHOOK_RETRY_DELAYS, waitAfter, webhookSecret } from './webhook.ts';
import { LARGEST_BODY, type WebhookFacts, webhookBody } from './webhook-payload.ts';

const FEEDBACK_ID = 'EXPERIENCE_20261122_1795300000000_a1B2c';
const facts = (words: string, name = words): WebhookFacts => ({
  type: 'comment.created',
  at: 1_795_300_000_000,
  accountId: 'ACCOUNT_HarborCoffee',
  link: `https://feedback.example.com/?id=${FEEDBACK_ID}`,
  about: {
    feedback: {
      id: FEEDBACK_ID,
      gs1sk: 'URGENT',
      data: { created: 1_795_300_000_000, projectId: 'PROPERTY_Pier', rating: 1, textFeedback: words, contact: { name, email: name } },
    } as unknown as Feedback,
    property: `Pier ${name}`,
    placement: name,
    comment: { id: 'COMMENT_a1B2c3D4e5', text: words, author: name },
  },
});

const IN_ENGLISH = { language: 'en' } as const;
const HOSTILE = '<!channel> @channel @here <@U0123> <https://evil.example|click> [x](https://evil.example) *b* & <at>Dana</at> CANARY';

describe('a body', () => {
  it.each(WEBHOOK_FORMATS)('of %s has no words unless they were requested', (format) => {
    expect(webhookBody(facts('CANARY'), { ...IN_ENGLISH, format, isFull: false }).match(/CANARY/g)?.length ?? 0).toBe(
      format === 'standard' ? 0 : PLACES[format],
    );
    expect(webhookBody(facts('CANARY'), { ...IN_ENGLISH, format, isFull: true })).toContain(
      'CANARY: CANARY'.slice(0, format === 'standard' ? 6 : 14),
    );
  });

  it('has the order number only with the words', () => {
    const { about, ...test } = facts('');
    if (!about) throw new Error('The sample has no feedback');
    const { feedback } = about;
    const ordered = { ...test, about: { ...about, feedback: { ...feedback, data: { ...feedback.data, orderNumber: '1042' } } } };
    const dataOf = (isFull: boolean) => JSON.parse(webhookBody(ordered, { ...IN_ENGLISH, format: 'standard', isFull })).data;
    expect([dataOf(true).orderNumber, dataOf(false).orderNumber]).toEqual(['1042', undefined]);
  });

  it('for Slack mentions no one and links only to Afterword', () => {
    const body = JSON.parse(webhookBody(facts(HOSTILE), { ...IN_ENGLISH, format: 'slack', isFull: true }));
    const texts: string[] = [body.text, ...body.blocks.map(({ text }: { text: { text: string } }) => text.text)];
    expect(texts.join('').match(/<[^>]*>/g)).toEqual([`<https://feedback.example.com/?id=${FEEDBACK_ID}|Open in Afterword>`]);
    expect(texts.join('')).not.toMatch(/@(?:channel|here|U0123)/);
    expect(texts.join('')).toContain('&lt;!channel&gt;');
    expect(body.blocks.every(({ text }: { text: { verbatim: boolean } }) => text.verbatim)).toBe(true);
    expect(body).toMatchObject({ link_names: false, unfurl_links: false, parse: 'none' });
  });

  it('for Teams has text runs without markup and mentions no one', () => {
    const { attachments } = JSON.parse(webhookBody(facts(HOSTILE), { ...IN_ENGLISH, format: 'teams', isFull: true }));
    const { body, actions, msteams } = attachments[0].content;
    for (const block of body)
      expect(block).toMatchObject({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: expect.not.stringMatching(/@channel/) }] });
    expect(actions.map(({ url }: { url: string }) => url)).toEqual([facts('').link]);
    expect(msteams).toBeUndefined();
  });

  it('has at most 20 kB, whatever was written', () => {
    for (const format of WEBHOOK_FORMATS)
      for (const character of ['x', '\u0000', '"', '<', '漢', '👩‍🍳']) {
        const body = webhookBody(facts(character.repeat(2000), character.repeat(200)), { ...IN_ENGLISH, format, isFull: true });
        expect(Buffer.byteLength(body)).toBeLessThanOrEqual(LARGEST_BODY);
        expect(() => JSON.parse(body)).not.toThrow();
      }
  });
});

/** How often a place's name appears in a chat message without visitors' words. */
const PLACES = { slack: 4, teams: 2, standard: 0 };

it('varies retry delays by up to a fifth and stops after the tenth attempt', () => {
  for (const [index, wait] of WEBHOOK_RETRY_DELAYS.entries()) {
    if (index === 0) continue;
    expect([waitAfter(index, 0), waitAfter(index, 0.5), waitAfter(index, 1)]).toEqual([wait * 0.8, wait, Math.round(wait * 1.2)]);
  }
  expect(waitAfter(WEBHOOK_RETRY_DELAYS.length, 0.5)).toBeUndefined();
});

it('creates a secret of 32 bytes in base64', () => {
  for (const byte of [0, 7, 255]) {
    const secret = webhookSecret((size) => new Uint8Array(size).fill(byte));
    expect(secret).toBe(`whsec_${Buffer.alloc(32, byte).toString('base64')}`);
  }
});
