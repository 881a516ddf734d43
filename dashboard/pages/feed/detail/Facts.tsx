import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Feedback } from '#contract/feedback.ts';
import { nameOf, useTeam } from '../../../frame/data.tsx';
import { exactly } from '../../../ui/time.ts';
import { KIND_WORDS, SOURCE_WORDS } from '../words.ts';
import { Section } from './Section.tsx';

/** What is known about the feedback besides what was said. */
export function Facts({ item: { data }, received }: { item: Feedback; received: string }) {
  const team = useTeam();
  const { projectId, kind, source, converted, diagnostics, url } = data;
  const name = nameOf(team, projectId);
  const isThere = team.properties.some(({ id }) => id === projectId);
  return (
    <Section title="Details">
      <Fact name="Property">{isThere ? <Link to={team.paths.propertyFeedback(projectId)}>{name}</Link> : name}</Fact>
      <Fact name="Received">{received}</Fact>
      <Fact name="Kind">{KIND_WORDS[kind]}</Fact>
      <Fact name="Source">{SOURCE_WORDS[source]}</Fact>
      <Fact name="Review">{converted === undefined ? 'Not opened' : `Opened ${exactly(converted)}`}</Fact>
      {diagnostics && (
        <Fact name="Screen">
          {diagnostics.screen.width} × {diagnostics.screen.height}
        </Fact>
      )}
      {url && <Fact name="Page">{url}</Fact>}
    </Section>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
