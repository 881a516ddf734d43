import { Link } from '@react-email/components';
import { translatable } from '#contract/language/translate.ts';
import type { Mails } from '#contract/mail/mail.ts';
import { Contact } from '../../Contact.tsx';
import { Frame } from '../../Frame.tsx';
import { momentInWords } from '../../format.ts';
import { useT } from '../../language.tsx';
import { Action, Details, Paragraph, Quiet, Quote } from '../../parts.tsx';
import { RatingLine } from '../../RatingLine.tsx';
import { LIGHT as c, DARK_MODE_CLASSES as dark } from '../../theme.ts';

const LEADS = translatable({
  quiet: 'This arrived during quiet hours. Visitors who want to be contacted come first, then the longest wait.',
  hour: 'There was too much for separate emails. Visitors who want to be contacted come first, then the longest wait.',
});

/** The alerts that were delayed for a person, as one email. */
export function UrgentDigest({ why, places, items, more, link }: Mails['urgent-digest']) {
  const t = useT();
  return (
    <Frame
      title={t('Visitors need an answer')}
      preview={t('Urgent feedback that is waiting for your team.')}
      why={t('You’re getting this because you follow these properties’ urgent feedback.')}
    >
      <Paragraph>{t(LEADS[why])}</Paragraph>
      <Details of={Object.fromEntries(places.map(({ place, count }) => [place, String(count)]))} />
      {items.map(({ place, rating, text, contact, when, link: to }) => (
        <div key={to} style={{ marginTop: 24 }}>
          {text && <Quote>{text}</Quote>}
          <RatingLine rating={rating} place={place} />
          {contact && <Contact {...contact} />}
          <Quiet>
            {momentInWords(t, when)} ·{' '}
            <Link href={to} className={dark.link} style={{ color: c.accent }}>
              {t('Open it')}
            </Link>
          </Quiet>
        </div>
      ))}
      {more > 0 && <Paragraph>{t('And {count} more.', { count: more })}</Paragraph>}
      <Action to={link}>{t('See who is waiting')}</Action>
    </Frame>
  );
}
