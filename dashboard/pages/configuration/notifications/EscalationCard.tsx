import { IconArrowUp, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { type Escalation, MOST_ESCALATED } from '#contract/alert/alert.ts';
import type { Property } from '#contract/property/property.ts';
import { useAction } from '../../../data/useAction.ts';
import { personName, useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { Aside, Form, Submit } from '../../../ui/forms/Form.tsx';
import { numberChoices } from '../../../ui/forms/number-choices.ts';
import { UnsavedGuard } from '../../../ui/forms/UnsavedGuard.tsx';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { Card } from '../../../ui/page/Page.tsx';
import { ActionIcon, NativeSelect } from '../../../ui/theme/mantine.ts';
import { isSameTab } from '../search.ts';
import styles from './NotificationsTab.module.css';
import { escalationSentences, span } from './sentences.ts';

const NONE: Escalation = { after: 30, to: [] };
/** The choices, in minutes. */
const SPANS = [5, 10, 15, 30, 60, 120, 240, 480, 1_440];

/** Sets who is emailed next, and after how long, when no one opens a property's alert. */
export function EscalationCard({ property: { id, data } }: { property: Property }) {
  const { users } = useTeam();
  const save = useAction('property', 'save');
  const stored = data.alerts?.escalation ?? NONE;
  /** The unsaved choice. */
  const [chosen, setChosen] = useState<Escalation>();
  const { after, to } = chosen ?? stored;
  const nameOf = (userId: string): string => personName({ users }, userId);
  const others = users.filter((user) => !user.data.invited && !to.includes(user.id));

  function choose(changes: Partial<Escalation>): void {
    save.reset();
    setChosen({ after, to, ...changes });
  }

  const submit = () =>
    save.run({ payload: { id, data: { alerts: { escalation: to.length > 0 ? { after, to } : null } } } }, () => {
      // What was chosen while it was being saved stays.
      setChosen((latest) => (latest === chosen ? undefined : latest));
      toast(to.length > 0 ? t('Escalation saved.') : t('Escalation turned off.'));
    });

  return (
    <Card title={t('Escalation')} lead={t('Emails more people if no one opens an alert. Time in quiet hours doesn’t count.')}>
      <Form label={t('Escalation')} onSubmit={() => void submit()}>
        <UnsavedGuard isOn={chosen !== undefined} isSame={isSameTab} />
        <NativeSelect
          label={t('After')}
          value={String(after)}
          onChange={({ currentTarget }) => choose({ after: Number(currentTarget.value) })}
          data={numberChoices(SPANS, after, span)}
        />
        {to.length > 0 && <Order to={to} nameOf={nameOf} onChange={(next) => choose({ to: next })} />}
        <NativeSelect
          label={to.length === 0 ? t('First person') : t('Next person')}
          value=""
          disabled={others.length === 0 || to.length >= MOST_ESCALATED}
          onChange={({ currentTarget: { value } }) => value && choose({ to: [...to, value] })}
          data={[
            { value: '', label: others.length === 0 ? t('Everyone is already listed') : t('Choose a person') },
            ...others.map((user) => ({ value: user.id, label: user.data.displayName })),
          ]}
        />
        {escalationSentences({ after, names: to.map(nameOf) }).map((sentence) => (
          <Aside key={sentence}>{sentence}</Aside>
        ))}
        <Submit
          missing={chosen === undefined ? t('No changes to save.') : undefined}
          isPending={save.isPending}
          failure={save.failure ?? save.problemOf('alerts.escalation.to')}
        >
          {t('Save escalation')}
        </Submit>
      </Form>
    </Card>
  );
}

interface OrderProps extends Pick<Escalation, 'to'> {
  readonly nameOf: (userId: string) => string;
  readonly onChange: (to: string[]) => void;
}

/** The people in their order, each with buttons to move up and to remove. */
const Order = ({ to, nameOf, onChange }: OrderProps) => (
  <ol className={styles['order']} aria-label={t('Escalation order')}>
    {to.map((userId, at) => (
      <li key={userId}>
        <span>{nameOf(userId)}</span>
        <ActionIcon
          variant="subtle"
          size={44}
          aria-label={t('Move {name} up', { name: nameOf(userId) })}
          disabled={at === 0}
          onClick={() => onChange(movedUp(to, at))}
        >
          <IconArrowUp size={18} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          size={44}
          aria-label={t('Remove {name}', { name: nameOf(userId) })}
          onClick={() => onChange(to.filter((each) => each !== userId))}
        >
          <IconX size={18} aria-hidden />
        </ActionIcon>
      </li>
    ))}
  </ol>
);

const movedUp = (list: readonly string[], at: number): string[] =>
  list.map((each, index) => (index === at - 1 ? list[at] : index === at ? list[at - 1] : each) ?? each);
