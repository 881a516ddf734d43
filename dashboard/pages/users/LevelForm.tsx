import { useState } from 'react';
import { LEVELS, type Level, type User } from '#contract/user.ts';
import { useAction } from '../../data/useAction.ts';
import { useTeam } from '../../frame/team.ts';
import { Form } from '../../ui/Form.tsx';
import { Button, NativeSelect } from '../../ui/mantine.ts';
import { Notice } from '../../ui/Notice.tsx';
import { LEVEL_LABELS } from '../../ui/Portrait.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { LEVEL_DESCRIPTIONS } from './rules.ts';
import styles from './UserPanel.module.css';

const CHOICES = LEVELS.map((value) => ({ value, label: LEVEL_LABELS[value] }));

/** What a person may do. The server has the last word; another admin may have changed it meanwhile. */
export function LevelForm({ person, isOff }: { person: User; isOff: boolean }) {
  const { user } = useTeam();
  const [level, setLevel] = useState<Level>(person.data.level);
  const save = useAction('user', 'save');
  const isOwn = person.id === user.id;

  const submit = () =>
    save.run({ payload: { id: person.id, data: { level } } }, () =>
      toast(`${person.data.displayName} is ${level === 'admin' ? 'an admin' : 'a user'} now.`),
    );

  return (
    <Form onSubmit={() => void submit()}>
      <div className={styles['line']}>
        <NativeSelect
          label="Level"
          description={LEVEL_DESCRIPTIONS[level]}
          data={CHOICES}
          value={level}
          disabled={isOff}
          onChange={({ currentTarget }) => setLevel(currentTarget.value as Level)}
        />
        <Button type="submit" loading={save.isPending} disabled={isOff || level === person.data.level}>
          Save level
        </Button>
      </div>
      {isOwn && level === 'user' && (
        <Notice tone="plain">This is you. You will be signed out, and only another admin can change it back.</Notice>
      )}
      <Notice tone="bad">{save.failure}</Notice>
    </Form>
  );
}
