import { translatable } from '#contract/language/translate.ts';
import type { Mails } from '#contract/mail/mail.ts';
import { Contact } from '../../Contact.tsx';
import { Frame } from '../../Frame.tsx';
import { momentInWords } from '../../format.ts';
import { useT } from '../../language.tsx';
import { Action, Paragraph, Quiet, Quote } from '../../parts.tsx';
import { RatingLine } from '../../RatingLine.tsx';

const TITLES = translatable({
  new: 'A visitor needs an answer',
  added: 'The visitor added something',
  unopened: 'Not opened yet',
  message: 'A visitor wrote to you',
});

/** An alert for the team. Visitors' words are shown as written, and as text only. */
export function UrgentFeedback({ about, place, placement, rating, text, contact, when, link, take, leave }: Mails['urgent-feedback']) {
  const t = useT();
  return (
    <Frame
      title={contact && about === 'new' ? t('A visitor wants to be contacted') : t(TITLES[about])}
      preview={contact ? t('A visitor wants to be contacted.') : t('A visitor was unhappy with their visit.')}
      why={
        leave === undefined
          ? t('You’re getting this because this property’s urgent feedback is escalated to you.')
          : t('You’re getting this because you follow this property’s urgent feedback.')
      }
      leave={leave}
    >
      {text && <Quote>{text}</Quote>}
      <RatingLine rating={rating} place={placement === undefined ? place : `${place}, ${placement}`} />
      {contact && <Contact {...contact} />}
      <Quiet>{momentInWords(t, when)}</Quiet>
      <Action to={link}>{t('Open the feedback')}</Action>
      <Paragraph>{t('Or take it without signing in. This works once, for three days.')}</Paragraph>
      <Action to={take}>{t('I’m on it')}</Action>
    </Frame>
  );
}
