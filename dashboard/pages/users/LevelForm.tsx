import { useState } from 'react';
import { LEVELS, type Level, type User } from '#contract/user.ts';
import { useSource } from '../../data/source.ts';
import { useTeamCache } from '../../data/useTeamCache.ts';
import { useWork } from '../../data/useWork.ts';
import { useTeam } from '../../frame/data.tsx';
import { Form } from '../../ui/Form.tsx';
import { LEVEL_LABELS } from '../../ui/LevelBadge.tsx';
import { Button, NativeSelect } from '../../ui/mantine.ts';
import { Notice } from '../../ui/Notice.tsx';
import { toast } from '../../ui/toast.ts';
import { LEVEL_DESCRIPTIONS } from './rules.ts';
import styles from './UserPanel.module.css';

const CHOICES = LEVELS.map((value) => ({ value, label: LEVEL_LABELS[value] }));

/** What a person may do. The server has the last word; another admin may have changed it meanwhile. */
export function LevelForm({ person, isOff }: { person: User; isOff: boolean }) {
  const source = useSource();
  const { account, user } = useTeam();
  const { putUser, refetchUsers } = useTeamCache(account.id);
  const [level, setLevel] = useState<Level>(person.data.level);
  const work = useWork();
  const isOwn = person.id === user.id;

  async function save(): Promise<void> {
    const isSaved = await work.run(async () => {
      const answer = await source.call('user', 'save', { payload: { id: person.id, data: { level } } });
      if (answer.status === 'ok') putUser(answer.user);
    });
    if (isSaved) toast(`${person.data.displayName} is ${level === 'admin' ? 'an admin' : 'a user'} now.`);
    else void refetchUsers();
  }

  return (
    <Form onSubmit={() => void save()}>
      <div className={styles['line']}>
        <NativeSelect
          label="Level"
          description={LEVEL_DESCRIPTIONS[level]}
          data={CHOICES}
          value={level}
          disabled={isOff}
          onChange={({ currentTarget }) => setLevel(currentTarget.value as Level)}
        />
        <Button type="submit" loading={work.isBusy} disabled={isOff || level === person.data.level}>
          Save level
        </Button>
      </div>
      {isOwn && level === 'user' && (
        <Notice tone="plain">This is you. You will be signed out, and only another admin can change it back.</Notice>
      )}
      <Notice tone="bad">{work.failure}</Notice>
    </Form>
  );
}
