import { useState } from 'react';
import { useAction } from '../../data/useAction.ts';
import { useTeam } from '../../frame/data.tsx';
import { TextField } from '../../ui/Fields.tsx';
import { Form } from '../../ui/Form.tsx';
import { Button } from '../../ui/mantine.ts';
import { Notice } from '../../ui/Notice.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { NAME_LIMIT, nameProblem } from '../../ui/validation.ts';
import styles from './Administration.module.css';

/** The company's name, as the team sees it. */
export function Rename() {
  const { account, isDemo } = useTeam();
  const [name, setName] = useState(account.data.displayName);
  const rename = useAction('account', 'save');
  const isReady = nameProblem(name) === undefined && name.trim() !== account.data.displayName;

  const submit = () =>
    rename.run({ payload: { id: account.id, data: { displayName: name.trim() } } }, () => toast('The company name is saved.'));

  return (
    <Form onSubmit={() => isReady && void submit()}>
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
          refused={rename.problemOf('displayName')}
        />
        <Button type="submit" disabled={!isReady || isDemo} loading={rename.isPending}>
          Save name
        </Button>
      </div>
      <Notice tone="bad">{rename.failure}</Notice>
    </Form>
  );
}
