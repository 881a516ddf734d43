import { useState } from 'react';
import { useWork } from '../../data/useWork.ts';
import { useTeam } from '../../frame/data.tsx';
import { Form } from '../../ui/Form.tsx';
import { NAME_LIMIT, nameProblem } from '../../ui/fields.ts';
import { Button } from '../../ui/mantine.ts';
import { Notice } from '../../ui/Notice.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { toast } from '../../ui/toast.ts';
import styles from './Profile.module.css';
import { useSaveMe } from './useSaveMe.ts';

/** How the team calls one. */
export function Name() {
  const { user, isDemo } = useTeam();
  const saveMe = useSaveMe();
  const [name, setName] = useState(user.data.displayName);
  const work = useWork();
  const isReady = nameProblem(name) === undefined && name.trim() !== user.data.displayName;

  async function save(): Promise<void> {
    if (isReady && (await work.run(() => saveMe({ displayName: name.trim() })))) toast('Your name is saved.');
  }

  return (
    <Form onSubmit={() => void save()}>
      <div className={styles['line']}>
        <TextField
          label="Name"
          name="name"
          autoComplete="name"
          limit={NAME_LIMIT}
          disabled={isDemo}
          value={name}
          onValue={setName}
          problem={nameProblem(name)}
          refused={work.problemOf('displayName')}
        />
        <Button type="submit" disabled={!isReady || isDemo} loading={work.isBusy}>
          Save name
        </Button>
      </div>
      <Notice tone="bad">{work.failure}</Notice>
    </Form>
  );
}
