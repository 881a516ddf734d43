import { useState } from 'react';
import * as v from 'valibot';
import { t } from '../../language.ts';
import { usePoolAction } from '../../session/pool.ts';
import { useSession } from '../../session/session.ts';
import { CodeForm } from '../../ui/forms/CodeForm.tsx';
import { TextField } from '../../ui/forms/Fields.tsx';
import { Form, Lead, Submit } from '../../ui/forms/Form.tsx';
import { useForm } from '../../ui/forms/useForm.ts';
import { backupCodeProblem } from '../../ui/forms/validation.ts';
import { ViewHeading } from '../../ui/page/CenteredPage.tsx';
import { TextLink } from '../../ui/page/TextLink.tsx';

/** The second step of signing in: a code from the authenticator app, or a backup code. */
export function SecondStep() {
  const [isLost, setLost] = useState(false);
  return isLost ? <LostPhone onBack={() => setLost(false)} /> : <AppCode onLost={() => setLost(true)} />;
}

function AppCode({ onLost }: { onLost: () => void }) {
  const answer = usePoolAction('answerChallenge');
  const { isOwnPool } = useSession();
  return (
    <CodeForm
      from="app"
      verb={t('Continue')}
      action={{ ...answer, run: (code) => void answer.run(code) }}
      below={
        isOwnPool ? (
          <TextLink onClick={onLost}>{t('Lost your phone? Use a backup code')}</TextLink>
        ) : (
          <p>{t('Lost your phone? Ask an admin of your team to reset your two-step sign-in.')}</p>
        )
      }
    >
      <ViewHeading>{t('Two-step sign-in')}</ViewHeading>
      <Lead>{t('Open your authenticator app and enter its code for Afterword.')}</Lead>
    </CodeForm>
  );
}

const SCHEMA = v.object({ code: v.string() });

function LostPhone({ onBack }: { onBack: () => void }) {
  const answer = usePoolAction('answerChallenge');
  const form = useForm({ initialValues: { code: '' }, schema: SCHEMA, action: answer });
  const missing = backupCodeProblem(form.values.code) === undefined ? undefined : t('Enter the ten letters and digits of a backup code.');
  return (
    <Form
      onSubmit={form.onSubmit(({ code }) => {
        if (missing === undefined) void answer.run(code.trim());
      })}
    >
      <ViewHeading>{t('Use a backup code')}</ViewHeading>
      <Lead>{t('You got ten of them when you set up two-step sign-in. Each works once.')}</Lead>
      <TextField
        label={t('Backup code')}
        name="code"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        limit={16}
        {...form.getInputProps('code')}
      />
      <Submit missing={missing} isPending={answer.isPending} failure={answer.failure}>
        {t('Sign in')}
      </Submit>
      <p>
        {t(
          'No backup codes left? Ask an admin of your team to reset your two-step sign-in. If you are the only admin, contact the person who runs this installation.',
        )}
      </p>
      <TextLink onClick={onBack}>{t('Use your app instead')}</TextLink>
    </Form>
  );
}
