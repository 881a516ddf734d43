import { useState } from 'react';
import { LEVELS, type Level } from '#contract/user.ts';
import { useAction } from '../../data/useAction.ts';
import { EmailField } from '../../ui/EmailField.tsx';
import { TextField } from '../../ui/Fields.tsx';
import { Form } from '../../ui/Form.tsx';
import { LEVEL_LABELS } from '../../ui/LevelBadge.tsx';
import { Modal, Radio } from '../../ui/mantine.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Submit } from '../../ui/Submit.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { emailProblem, firstMissing, NAME_LIMIT, nameProblem } from '../../ui/validation.ts';
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
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [level, setLevel] = useState<Level>('user');
  const invite = useAction('user', 'generate');
  const missing = firstMissing(
    [nameProblem(name) !== undefined, 'Enter a name of letters, digits, spaces, underscores and hyphens.'],
    [emailProblem(email) !== undefined, 'Enter an email address.'],
  );

  function submit(): void {
    if (missing !== undefined) return;
    const data = { displayName: name.trim(), emailAddress: email.trim(), level };
    void invite.run({ payload: { data } }, () => {
      toast(`Invitation sent to ${data.emailAddress}.`);
      onDone();
    });
  }

  return (
    <Form label="Invite user" onSubmit={submit}>
      <TextField
        label="Name"
        autoComplete="off"
        data-autofocus
        limit={NAME_LIMIT}
        value={name}
        onValue={setName}
        problem={nameProblem(name)}
        refused={invite.problemOf('displayName')}
      />
      <EmailField value={email} onValue={setEmail} autoComplete="off" refused={invite.problemOf('emailAddress')} />
      <Radio.Group label="Level" value={level} onChange={(chosen) => setLevel(chosen as Level)}>
        {LEVELS.map((each) => (
          <Radio key={each} value={each} label={LEVEL_LABELS[each]} description={LEVEL_DESCRIPTIONS[each]} mt={8} />
        ))}
      </Radio.Group>
      <Notice tone="bad">{invite.failure}</Notice>
      <Submit missing={missing} isBusy={invite.isPending}>
        Send invitation
      </Submit>
    </Form>
  );
}
