import { Link, Text } from '@react-email/components';
import type { ReactNode } from 'react';
import {
  averageSentence,
  countSentence,
  formatCount,
  funnelSentence,
  PREVIOUS,
  percentOf,
  pluralize,
  requestsSentence,
  signed,
} from '#contract/core/sentences.ts';
import { average, type Tally, total } from '#contract/feedback/feedback.ts';
import { RATING_WORDS, RATINGS } from '#contract/feedback/rating.ts';
import { MOST_COUNTED } from '#contract/feedback/work.ts';
import type { Translate, Untranslated } from '#contract/language/translate.ts';
import type { ComparedPlaces, LinkedWord, Mails, ReportMail } from '#contract/mail/mail.ts';
import type { ReportKind } from '#contract/report/report.ts';
import { Frame } from '../Frame.tsx';
import { useT } from '../language.tsx';
import { Action, Details, Paragraph, Quiet, Subtitle, Title } from '../parts.tsx';
import { LIGHT as c, DARK_MODE_CLASSES as dark, FACES } from '../theme.ts';

const WORDS: Readonly<Record<ReportKind, { title: string; than: Untranslated; none: string }>> = {
  daily: { title: 'Your daily report', than: PREVIOUS.day, none: 'There were no ratings on this day.' },
  weekly: { title: 'Your weekly report', than: PREVIOUS.week, none: 'There were no ratings this week.' },
  monthly: { title: 'Your monthly report', than: PREVIOUS.month, none: 'There were no ratings this month.' },
};

/** A property's daily, weekly or monthly report for its team. Charts are table cells, with their numbers beside them. */
export function Report(report: Mails['report']) {
  const { kind, place, period, ratings, waiting, places, link, leave } = report;
  const { title } = WORDS[kind];
  return (
    <Frame
      title={title}
      preview="Ratings, the average, and visitors waiting for an answer."
      why={
        leave === undefined
          ? 'You’re getting this because you asked for it.'
          : `You’re getting this because you are on the list of this property’s ${kind} report.`
      }
      leave={leave}
    >
      <Title>{title}</Title>
      <Details of={{ Property: place, Period: period }} />
      {total(ratings) === 0 ? <NoRatings report={report} /> : <Ratings report={report} />}
      <Waiting waiting={waiting} />
      {places && total(ratings) > 0 && <Places places={places} />}
      <Action to={link}>Open the overview</Action>
    </Frame>
  );
}

const NoRatings = ({ report: { kind, form } }: { report: ReportMail }) => (
  <Paragraph>
    {WORDS[kind].none} A code where people wait, at the till or on the table, often helps.
    {form !== undefined && ` This is the form’s link: ${form}`}
  </Paragraph>
);

function Ratings({ report: { kind, ratings, before, funnel, requests, topics, words } }: { report: ReportMail }) {
  const t = useT();
  const compared = { ratings, before, than: t(WORDS[kind].than) };
  return (
    <>
      <Text className={dark.text} style={{ margin: '0 0 4px', fontSize: '40px', lineHeight: '44px', fontWeight: 650, color: c.text }}>
        {average(ratings)?.toFixed(1)}
      </Text>
      <Paragraph>
        {averageSentence(t, compared)} {countSentence(t, compared)}
      </Paragraph>
      <Faces ratings={ratings} />
      <Paragraph>{funnelSentence(t, funnel)}</Paragraph>
      {requests && <Paragraph>{requestsSentence(t, requests)}</Paragraph>}
      {topics && <Topics topics={topics} />}
      <Words title="What bad feedback says" side="bad" words={words.bad} />
      <Words title="What good feedback says" side="good" words={words.good} />
    </>
  );
}

/** What visitors talk about, with the average and its change. */
function Topics({ topics }: { topics: NonNullable<ReportMail['topics']> }) {
  const t = useT();
  return (
    <>
      <Subtitle>Topics</Subtitle>
      <Details of={Object.fromEntries(topics.map(({ name, ratings, before }) => [name, topicLine(t, ratings, before)]))} />
    </>
  );
}

/** Returns "16 answers, 3.5 on average (+0.2)". */
function topicLine(t: Translate, ratings: Tally, before: Tally): string {
  const [mean, earlier] = [average(ratings) ?? 0, average(before)];
  return `${pluralize(total(ratings), 'answer')}, ${mean.toFixed(1)} on average${earlier === undefined ? '' : ` (${signed(t, mean - earlier)})`}`;
}

const CELL = { padding: '4px 0', fontSize: '15px', lineHeight: '22px', color: c.text, verticalAlign: 'middle' } as const;

/** Ratings by face; the most common one has the longest bar. */
function Faces({ ratings }: Pick<ReportMail, 'ratings'>) {
  const most = Math.max(1, ...ratings);
  return (
    <table className="rows" width="100%" cellPadding={0} cellSpacing={0} style={{ margin: '0 0 16px', borderCollapse: 'collapse' }}>
      <tbody>
        {RATINGS.toReversed().map((rating) => {
          const count = ratings[rating - 1] ?? 0;
          return (
            <tr key={rating}>
              <td className={dark.text} style={{ ...CELL, width: '64px' }}>
                {RATING_WORDS[rating]}
              </td>
              <td style={{ ...CELL, padding: '4px 12px 4px 0' }} data-skip-in-text="true">
                <Bar width={Math.round((count / most) * 100)} rating={rating} />
              </td>
              <td className={dark.quiet} align="right" style={{ ...CELL, width: '96px', color: c.quiet, whiteSpace: 'nowrap' }}>
                {percentOf(count, ratings)}% ({formatCount(count)})
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
  if (words.length === 0) return null;
  const opposite = side === 'bad' ? 'good' : 'bad';
  return (
    <>
      <Subtitle>{title}</Subtitle>
      <Lines>
        {words.map((word) => (
          <Line key={word.words} note={`in ${formatCount(word[side])} ${side} and ${formatCount(word[opposite])} ${opposite}`}>
            <Link href={word.link} className={`${dark.link} in-row`} style={{ color: c.accent }}>
              “{word.words}”
            </Link>
          </Line>
        ))}
      </Lines>
    </>
  );
}

function Waiting({ waiting: { count, longest, link } }: Pick<ReportMail, 'waiting'>) {
  if (count === 0) return <Quiet>No one is waiting for an answer.</Quiet>;
  return (
    <>
      <Subtitle>{`${count >= MOST_COUNTED ? `${formatCount(MOST_COUNTED)} or more visitors wait` : count === 1 ? 'One visitor waits' : `${pluralize(count, 'visitor')} wait`} for an answer`}</Subtitle>
      {longest.map((visitor) => (
        <WaitingLink key={visitor.link} to={visitor.link}>
          {RATING_WORDS[visitor.rating]}, since {visitor.since}
        </WaitingLink>
      ))}
      {count > longest.length && <WaitingLink to={link}>See everyone waiting</WaitingLink>}
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

const Places = ({ places: { said, rows } }: { places: ComparedPlaces }) => (
  <>
    <Subtitle>Beside your other properties</Subtitle>
    <Lines>
      {rows.map(({ place, ratings, rank, isOwn }) => (
        <Line
          key={place}
          note={
            rank === undefined
              ? `${pluralize(total(ratings), 'rating')}, too few to compare`
              : `${average(ratings)?.toFixed(1)} from ${pluralize(total(ratings), 'rating')}`
          }
        >
          {rank === undefined ? '' : `${rank}. `}
          {isOwn ? <strong>{place}</strong> : place}
        </Line>
      ))}
    </Lines>
    <Quiet>{said}</Quiet>
  </>
);

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
