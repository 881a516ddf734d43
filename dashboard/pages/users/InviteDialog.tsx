import { useState } from 'react';
import { LEVELS, type Level } from '#contract/user.ts';
import { useSource } from '../../data/source.ts';
import { useTeamCache } from '../../data/useTeamCache.ts';
import { useWork } from '../../data/useWork.ts';
import { useTeam } from '../../frame/data.tsx';
import { EmailField } from '../../ui/EmailField.tsx';
import { Form } from '../../ui/Form.tsx';
import { emailProblem, firstMissing, NAME_LIMIT, nameProblem } from '../../ui/fields.ts';
import { LEVEL_LABELS } from '../../ui/LevelBadge.tsx';
import { Modal, Radio } from '../../ui/mantine.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Submit } from '../../ui/Submit.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { toast } from '../../ui/toast.ts';
import { LEVEL_DESCRIPTIONS } from './rules.ts';

interface InviteDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export const InviteDialog = ({ isOpen, onClose }: InviteDialogProps) => (
  <Modal opened={isOpen} onClose={onClose} title="Invite user">
    <Invite onDone={onClose} />
  </Modal>
);

/** Asks somebody to join by a mail with a link. */
function Invite({ onDone }: { onDone: () => void }) {
  const source = useSource();
  const { account } = useTeam();
  const { putUser } = useTeamCache(account.id);
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [level, setLevel] = useState<Level>('user');
  const [refusal, setRefusal] = useState<string>();
  const work = useWork();
  const missing = firstMissing(
    [nameProblem(name) !== undefined, 'Enter a name of letters, digits, spaces, underscores and hyphens.'],
    [emailProblem(email) !== undefined, 'Enter an email address.'],
  );

  async function submit(): Promise<void> {
    if (missing !== undefined) return;
    const data = { displayName: name.trim(), emailAddress: email.trim(), level };
    await work.run(async () => {
      setRefusal(undefined);
      const answer = await source.call('user', 'generate', { payload: { data } });
      if (!answer.success) return setRefusal(answer.data.message);
      putUser(answer.data.user);
      toast(`Invitation sent to ${data.emailAddress}.`);
      onDone();
    });
  }

  return (
    <Form label="Invite user" onSubmit={() => void submit()}>
      <TextField
        label="Name"
        autoComplete="off"
        data-autofocus
        limit={NAME_LIMIT}
        value={name}
        onValue={setName}
        problem={nameProblem(name)}
        refused={work.problemOf('displayName')}
      />
      <EmailField value={email} onValue={setEmail} autoComplete="off" refused={work.problemOf('emailAddress')} />
      <Radio.Group label="Level" value={level} onChange={(chosen) => setLevel(chosen as Level)}>
        {LEVELS.map((each) => (
          <Radio key={each} value={each} label={LEVEL_LABELS[each]} description={LEVEL_DESCRIPTIONS[each]} mt={8} />
        ))}
      </Radio.Group>
      <Notice tone="bad">{refusal ?? work.failure}</Notice>
      <Submit missing={missing} isBusy={work.isBusy}>
        Send invitation
      </Submit>
    </Form>
  );
}
