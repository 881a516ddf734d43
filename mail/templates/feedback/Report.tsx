import { Link, Text } from '@react-email/components';
import type { ReactNode } from 'react';
import { averageSentence, countSentence, funnelSentence, PREVIOUS, percentOf, requestsSentence, signed } from '#contract/core/sentences.ts';
import { RATING_WORDS, RATINGS } from '#contract/feedback/rating.ts';
import { average, type Tally, total } from '#contract/feedback/tally.ts';
import { MOST_COUNTED } from '#contract/feedback/work.ts';
import { formatDecimal, formatPercent } from '#contract/language/formats.ts';
import { type Translate, translatable, type Untranslated } from '#contract/language/translate.ts';
import type { ComparedPlaces, LinkedWord, Mails, ReportMail } from '#contract/mail/mail.ts';
import type { ReportKind } from '#contract/report/report.ts';
import { Frame } from '../../Frame.tsx';
import { comparisonInWords, periodInWords, shortMomentInWords } from '../../format.ts';
import { useT } from '../../language.tsx';
import { Action, Details, Paragraph, Quiet, Subtitle } from '../../parts.tsx';
import { LIGHT as c, DARK_MODE_CLASSES as dark, FACES } from '../../theme.ts';

const WORDS = translatable({
  daily: {
    title: 'Your daily report',
    why: 'You’re getting this because you are on the list of this property’s daily report.',
    none: 'There were no ratings on this day.',
  },
  weekly: {
    title: 'Your weekly report',
    why: 'You’re getting this because you are on the list of this property’s weekly report.',
    none: 'There were no ratings this week.',
  },
  monthly: {
    title: 'Your monthly report',
    why: 'You’re getting this because you are on the list of this property’s monthly report.',
    none: 'There were no ratings this month.',
  },
});
/** What each kind's period is compared with. */
const BEFORE: Readonly<Record<ReportKind, Untranslated>> = { daily: PREVIOUS.day, weekly: PREVIOUS.week, monthly: PREVIOUS.month };

/** A property's daily, weekly or monthly report for its team. Charts are table cells, with their numbers beside them. */
export function Report(report: Mails['report']) {
  const t = useT();
  const { kind, place, period, ratings, waiting, places, link, leave } = report;
  const days = periodInWords(t, { kind, period });
  return (
    <Frame
      title={t(WORDS[kind].title)}
      preview={t('Ratings, the average, and visitors waiting for an answer.')}
      why={leave === undefined ? t('You’re getting this because you asked for it.') : t(WORDS[kind].why)}
      leave={leave}
    >
      <Details of={{ [t('Property')]: place, [t('Period')]: days }} />
      {total(ratings) === 0 ? <NoRatings report={report} /> : <Ratings report={report} />}
      <Waiting waiting={waiting} />
      {places && total(ratings) > 0 && <Places places={places} />}
      <Action to={link}>{t('Open the overview')}</Action>
    </Frame>
  );
}

function NoRatings({ report: { kind, form } }: { report: ReportMail }) {
  const t = useT();
  return (
    <Paragraph>
      {t(WORDS[kind].none)} {t('A code where people wait, at the till or on the table, often helps.')}
      {form !== undefined && ` ${t('This is the form’s link: {link}', { link: form })}`}
    </Paragraph>
  );
}

function Ratings({ report: { kind, ratings, before, funnel, requests, topics, words } }: { report: ReportMail }) {
  const t = useT();
  const compared = { ratings, before, than: t(BEFORE[kind]) };
  return (
    <>
      <Text className={dark.text} style={{ margin: '0 0 4px', fontSize: '40px', lineHeight: '44px', fontWeight: 650, color: c.text }}>
        {formatDecimal(t, average(ratings) ?? 0)}
      </Text>
      <Paragraph>
        {averageSentence(t, compared)} {countSentence(t, compared)}
      </Paragraph>
      <Faces ratings={ratings} />
      <Paragraph>{funnelSentence(t, funnel)}</Paragraph>
      {requests && <Paragraph>{requestsSentence(t, requests)}</Paragraph>}
      {topics && <Topics topics={topics} />}
      <Words title={t('What bad feedback says')} side="bad" words={words.bad} />
      <Words title={t('What good feedback says')} side="good" words={words.good} />
    </>
  );
}

/** What visitors talk about, with the average and its change. */
function Topics({ topics }: { topics: NonNullable<ReportMail['topics']> }) {
  const t = useT();
  return (
    <>
      <Subtitle>{t('Topics')}</Subtitle>
      <Details of={Object.fromEntries(topics.map(({ name, ratings, before }) => [name, topicLine(t, ratings, before)]))} />
    </>
  );
}

/** Returns "16 answers, 3.5 on average (+0.2)". */
function topicLine(t: Translate, ratings: Tally, before: Tally): string {
  const [mean, earlier] = [average(ratings) ?? 0, average(before)];
  const line = t.count(total(ratings), '{count} answer, {average} on average', '{count} answers, {average} on average', {
    average: formatDecimal(t, mean),
  });
  return earlier === undefined ? line : `${line} (${signed(t, mean - earlier)})`;
}

const CELL = { padding: '4px 0', fontSize: '15px', lineHeight: '22px', color: c.text, verticalAlign: 'middle' } as const;

/** Ratings by face; the most common one has the longest bar. */
function Faces({ ratings }: Pick<ReportMail, 'ratings'>) {
  const t = useT();
  const most = Math.max(1, ...ratings);
  return (
    <table className="rows" width="100%" cellPadding={0} cellSpacing={0} style={{ margin: '0 0 16px', borderCollapse: 'collapse' }}>
      <tbody>
        {RATINGS.toReversed().map((rating) => {
          const count = ratings[rating - 1] ?? 0;
          return (
            <tr key={rating}>
              <td className={dark.text} style={{ ...CELL, width: '64px' }}>
                {t(RATING_WORDS[rating])}
              </td>
              <td style={{ ...CELL, padding: '4px 12px 4px 0' }} data-skip-in-text="true">
                <Bar width={Math.round((count / most) * 100)} rating={rating} />
              </td>
              <td className={dark.quiet} align="right" style={{ ...CELL, width: '96px', color: c.quiet, whiteSpace: 'nowrap' }}>
                {t('{share} ({count})', { share: formatPercent(t, percentOf(count, ratings)), count })}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Two cells: one filled, and one for the rest of the width. */
const Bar = ({ width, rating }: { width: number; rating: keyof typeof FACES }) => (
  <table width="100%" cellPadding={0} cellSpacing={0} role="presentation" aria-hidden="true" style={{ borderCollapse: 'collapse' }}>
    <tbody>
      <tr>
        {width > 0 && (
          <td className={`d-r${rating}`} width={`${width}%`} style={{ ...BAR_CELL, backgroundColor: FACES[rating], borderRadius: '4px' }} />
        )}
        {width < 100 && <td width={`${100 - width}%`} style={BAR_CELL} />}
      </tr>
    </tbody>
  </table>
);

const BAR_CELL = { height: '12px', fontSize: 0, lineHeight: 0 } as const;

interface WordsProps {
  readonly title: string;
  readonly side: 'bad' | 'good';
  readonly words: readonly LinkedWord[];
}

/** Shows nothing if no word stands out. */
function Words({ title, side, words }: WordsProps) {
  const t = useT();
  if (words.length === 0) return null;
  return (
    <>
      <Subtitle>{title}</Subtitle>
      <Lines>
        {words.map(({ words: text, good, bad, link }) => (
          <Line
            key={text}
            note={side === 'bad' ? t('in {bad} bad and {good} good', { bad, good }) : t('in {good} good and {bad} bad', { bad, good })}
          >
            <Link href={link} className={`${dark.link} in-row`} style={{ color: c.accent }}>
              {t('“{text}”', { text })}
            </Link>
          </Line>
        ))}
      </Lines>
    </>
  );
}

function Waiting({ waiting: { count, longest, link } }: Pick<ReportMail, 'waiting'>) {
  const t = useT();
  if (count === 0) return <Quiet>{t('No one is waiting for an answer.')}</Quiet>;
  return (
    <>
      <Subtitle>
        {count >= MOST_COUNTED
          ? t('{count} or more visitors wait for an answer', { count: MOST_COUNTED })
          : t.count(count, 'One visitor waits for an answer', '{count} visitors wait for an answer')}
      </Subtitle>
      {longest.map(({ rating, since, link: to }) => (
        <WaitingLink key={to} to={to}>
          {t('{rating}, since {moment}', { rating: t(RATING_WORDS[rating]), moment: shortMomentInWords(t, since) })}
        </WaitingLink>
      ))}
      {count > longest.length && <WaitingLink to={link}>{t('See everyone waiting')}</WaitingLink>}
    </>
  );
}

const WaitingLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Text style={{ ...CELL, margin: '0 0 4px' }}>
    <Link href={to} className={dark.link} style={{ color: c.accent }}>
      {children}
    </Link>
  </Text>
);

function Places({ places }: { places: ComparedPlaces }) {
  const t = useT();
  return (
    <>
      <Subtitle>{t('Beside your other properties')}</Subtitle>
      <Lines>
        {places.rows.map(({ place, ratings, rank, isOwn }) => (
          <Line key={place} note={rank === undefined ? tooFew(t, ratings) : averageNote(t, ratings)}>
            {rank === undefined ? '' : `${rank}. `}
            {isOwn ? <strong>{place}</strong> : place}
          </Line>
        ))}
      </Lines>
      <Quiet>{comparisonInWords(t, places)}</Quiet>
    </>
  );
}

const tooFew = (t: Translate, ratings: Tally): string =>
  t.count(total(ratings), '{count} rating, too few to compare', '{count} ratings, too few to compare');

const averageNote = (t: Translate, ratings: Tally): string =>
  t.count(total(ratings), '{average} from {count} rating', '{average} from {count} ratings', {
    average: formatDecimal(t, average(ratings) ?? 0),
  });

const Lines = ({ children }: { children: ReactNode }) => (
  <table className="rows" width="100%" cellPadding={0} cellSpacing={0} style={{ margin: '0 0 12px', borderCollapse: 'collapse' }}>
    <tbody>{children}</tbody>
  </table>
);

const Line = ({ children, note }: { children: ReactNode; note: string }) => (
  <tr>
    <td className={dark.text} style={{ ...CELL, padding: '4px 12px 4px 0', wordBreak: 'break-word' }}>
      {children}
    </td>
    <td className={dark.quiet} align="right" style={{ ...CELL, color: c.quiet }}>
      {note}
    </td>
  </tr>
);
