import type { Response } from '#contract/feedback.ts';
import { RATING_WORDS } from '#contract/rating.ts';
import type { QuestionOf } from './questions.ts';
import { Section } from './Section.tsx';

/** Questions of the form with what the visitor answered. */
export function Responses({ responses, questionOf }: { responses: readonly Response[]; questionOf: QuestionOf }) {
  return (
    <Section title="Answers">
      {responses.map((response) => (
        <div key={response.uuid}>
          <dt>{questionOf(response)}</dt>
          <dd>{answerInWords(response)}</dd>
        </div>
      ))}
    </Section>
  );
}

function answerInWords(response: Response): string {
  switch (response.block) {
    case 'EmojiGauge':
      return RATING_WORDS[response.response];
    case 'OpenText':
      return response.response.trim() || '(no text)';
    case 'ContactMe':
      return response.response.answer;
    case 'ExternalReview':
      return `Opened ${response.response.service}`;
  }
}
