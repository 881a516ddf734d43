import { useState } from 'react';
import { useAction } from '../../data/useAction.ts';
import { useTeam } from '../../frame/data.tsx';
import { TextField } from '../../ui/Fields.tsx';
import { Form } from '../../ui/Form.tsx';
import { Button } from '../../ui/mantine.ts';
import { Notice } from '../../ui/Notice.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { NAME_LIMIT, nameProblem } from '../../ui/validation.ts';
import styles from './Profile.module.css';

/** How the team calls one. */
export function Name() {
  const { user, isDemo } = useTeam();
  const [name, setName] = useState(user.data.displayName);
  const save = useAction('user', 'save');
  const isReady = nameProblem(name) === undefined && name.trim() !== user.data.displayName;

  const submit = () =>
    isReady && save.run({ payload: { id: user.id, data: { displayName: name.trim() } } }, () => toast('Your name is saved.'));

  return (
    <Form onSubmit={() => void submit()}>
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
          refused={save.problemOf('displayName')}
        />
        <Button type="submit" disabled={!isReady || isDemo} loading={save.isPending}>
          Save name
        </Button>
      </div>
      <Notice tone="bad">{save.failure}</Notice>
    </Form>
  );
}
