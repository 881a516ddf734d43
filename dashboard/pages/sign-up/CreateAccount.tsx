import { useState } from 'react';
import { useAction } from '../../data/useAction.ts';
import { LegalLink, type LegalPage } from '../../frame/LegalLinks.tsx';
import { LegalNotice } from '../../frame/LegalNotice.tsx';
import { EmailField } from '../../ui/EmailField.tsx';
import { TextField } from '../../ui/Fields.tsx';
import { Form } from '../../ui/Form.tsx';
import { Heading } from '../../ui/Heading.tsx';
import { Checkbox } from '../../ui/mantine.ts';
import { Notice } from '../../ui/Notice.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { Submit } from '../../ui/Submit.tsx';
import { NAME_LIMIT, nameProblem } from '../../ui/validation.ts';
import { type AccountDraft, EMPTY, missingOf } from './create.ts';
import { keepPending } from './pending.ts';

/** The first step: who signs up. The account and its admin are made together, or nothing is. */
export function CreateAccount({ takesFocus }: { takesFocus: boolean }) {
  const [draft, setDraft] = useState<AccountDraft>(EMPTY);
  const [legal, setLegal] = useState<LegalPage>();
  const create = useAction('user', 'create');
  const { companyName, displayName, email, password, hasAccepted } = draft;
  const missing = missingOf(draft);

  function type(change: Partial<AccountDraft>): void {
    setDraft({ ...draft, ...change });
    create.reset();
  }

  function submit(): void {
    if (missing !== undefined) return;
    const data = { displayName: displayName.trim(), emailAddress: email.trim(), companyName: companyName.trim() };
    void create.run({ password, payload: { data } }, () => keepPending({ email: data.emailAddress, password }));
  }

  return (
    <Form onSubmit={submit}>
      <Heading takesFocus={takesFocus}>Create An Account</Heading>
      <TextField
        label="Company name"
        name="organization"
        autoComplete="organization"
        limit={NAME_LIMIT}
        value={companyName}
        onValue={(typed) => type({ companyName: typed })}
        problem={nameProblem(companyName)}
        refused={create.problemOf('companyName')}
      />
      <TextField
        label="Your name"
        name="name"
        autoComplete="name"
        limit={NAME_LIMIT}
        value={displayName}
        onValue={(typed) => type({ displayName: typed })}
        problem={nameProblem(displayName)}
        refused={create.problemOf('displayName')}
      />
      <EmailField
        label="Email address"
        value={email}
        onValue={(typed) => type({ email: typed })}
        refused={create.problemOf('emailAddress')}
      />
      <PasswordField isNew value={password} onValue={(typed) => type({ password: typed })} refused={create.problemOf('password')} />
      <div>
        <Checkbox
          label="I accept the Terms of Service"
          checked={hasAccepted}
          onChange={({ currentTarget }) => type({ hasAccepted: currentTarget.checked })}
        />
        <LegalLink page="terms" onMissing={setLegal}>
          Read the Terms of Service
        </LegalLink>
      </div>
      <Notice tone="bad">{create.failure}</Notice>
      <Submit missing={missing} isBusy={create.isPending}>
        Create account
      </Submit>
      <LegalNotice page={legal} onClose={() => setLegal(undefined)} />
    </Form>
  );
}
