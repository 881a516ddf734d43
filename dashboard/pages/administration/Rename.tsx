import { useState } from 'react';
import { useSource } from '../../data/source.ts';
import { useTeamCache } from '../../data/useTeamCache.ts';
import { useWork } from '../../data/useWork.ts';
import { useTeam } from '../../frame/data.tsx';
import { Form } from '../../ui/Form.tsx';
import { NAME_LIMIT, nameProblem } from '../../ui/fields.ts';
import { Button } from '../../ui/mantine.ts';
import { Notice } from '../../ui/Notice.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { toast } from '../../ui/toast.ts';
import styles from './Administration.module.css';

/** The company's name, as the team sees it. */
export function Rename() {
  const source = useSource();
  const { account, isDemo } = useTeam();
  const { putAccount } = useTeamCache(account.id);
  const [name, setName] = useState(account.data.displayName);
  const work = useWork();
  const isReady = nameProblem(name) === undefined && name.trim() !== account.data.displayName;

  async function save(): Promise<void> {
    const isSaved = await work.run(async () => {
      const answer = await source.call('account', 'save', { payload: { id: account.id, data: { displayName: name.trim() } } });
      if (answer.status === 'ok') putAccount(answer.account);
    });
    if (isSaved) toast('The company name is saved.');
  }

  return (
    <Form onSubmit={() => isReady && void save()}>
      <div className={styles['line']}>
        <TextField
          label="Company name"
          name="organization"
          autoComplete="organization"
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
