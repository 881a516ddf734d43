import * as v from 'valibot';
import { displayName } from '#contract/core/schema.ts';
import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../../Frame.tsx';
import { Action, Quote } from '../../parts.tsx';

/** The team's answer to a visitor, in the visitor's language. The property's name comes first only if it passes the stricter rule for names. */
export function VisitorAnswer({ language, words, place, text, link }: Mails['visitor-answer']) {
  const isName = v.is(displayName, place);
  return (
    <Frame
      title={words.open}
      heading={isName ? words.title : words.open}
      preview={words.open}
      why={words.why}
      visitor={{ language, place: isName ? place : words.open }}
    >
      <Quote>{text}</Quote>
      <Action to={link}>{words.open}</Action>
    </Frame>
  );
}
