import { IconUser } from '@tabler/icons-react';
import { STATUSES, UNASSIGNED, type WorkStatus } from '#contract/feedback/work.ts';
import { useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { NativeSelect } from '../../../ui/theme/mantine.ts';
import { UserAvatar } from '../../../ui/UserAvatar.tsx';
import { statusLabel } from '../labels.ts';
import styles from './Choices.module.css';

/** The value of selects for several items, which may differ. */
const UNDECIDED = '';

interface StatusChoiceProps {
  /** Undefined for several items. */
  readonly status: WorkStatus | undefined;
  readonly onChoose: (status: WorkStatus) => void;
}

export const StatusChoice = ({ status, onChoose }: StatusChoiceProps) => (
  <NativeSelect
    aria-label={t('Status')}
    data={[
      ...(status === undefined ? [{ value: UNDECIDED, label: t('Status…') }] : []),
      ...STATUSES.map((value) => ({ value, label: statusLabel(value) })),
    ]}
    value={status ?? UNDECIDED}
    onChange={({ currentTarget }) => {
      const chosen = STATUSES.find((each) => each === currentTarget.value);
      if (chosen) onChoose(chosen);
    }}
  />
);

interface AssigneeChoiceProps {
  /** Null if unassigned; undefined for several items. */
  readonly assignee: string | null | undefined;
  readonly onChoose: (assignee: string | null) => void;
  /** Shows only the assignee's picture on a phone. */
  readonly isCompact?: boolean;
}

/** Offers everyone who has joined the team, and the current assignee. */
export function AssigneeChoice({ assignee, onChoose, isCompact = false }: AssigneeChoiceProps) {
  const { users, user } = useTeam();
  const people = users.filter(({ id, data }) => !data.invited || id === assignee);
  const person = people.find(({ id }) => id === assignee);
  return (
    <NativeSelect
      aria-label={t('Assigned to')}
      leftSection={person ? <UserAvatar person={person} size={22} /> : <IconUser size={18} aria-hidden />}
      {...(isCompact && { className: styles['compact'] ?? '' })}
      data={[
        ...(assignee === undefined ? [{ value: UNDECIDED, label: t('Assign…') }] : []),
        { value: UNASSIGNED, label: t('Unassigned') },
        ...people.map(({ id, data }) => ({
          value: id,
          label: id === user.id ? t('{name} (you)', { name: data.displayName }) : data.displayName,
        })),
      ]}
      value={assignee === undefined ? UNDECIDED : (assignee ?? UNASSIGNED)}
      onChange={({ currentTarget: { value } }) => value !== UNDECIDED && onChoose(value === UNASSIGNED ? null : value)}
    />
  );
}
