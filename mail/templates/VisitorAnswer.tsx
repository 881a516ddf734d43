import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, Quote, Title } from '../parts.tsx';

/** The team's answer to a visitor, in the visitor's language. */
export function VisitorAnswer({ language, words, place, text, link }: Mails['visitor-answer']) {
  return (
    <Frame title={words.title} preview={words.title} why={words.why} visitor={{ language, place }}>
      <Title>{words.title}</Title>
      <Quote>{text}</Quote>
      <Action to={link}>{words.open}</Action>
    </Frame>
  );
}
