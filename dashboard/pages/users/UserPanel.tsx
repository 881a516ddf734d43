import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LEVELS, type Level, type User } from '#contract/user/user.ts';
import { secondFactorQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useAction } from '../../data/useAction.ts';
import { EditArea } from '../../frame/EditArea.tsx';
import { useFreshSignIn } from '../../frame/security/FreshSignIn.tsx';
import { personName, useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { day } from '../../ui/format/time.ts';
import { Form } from '../../ui/forms/Form.tsx';
import { ConfirmDialog } from '../../ui/layers/ConfirmDialog.tsx';
import { useLayer } from '../../ui/layers/useLayer.ts';
import { Notice } from '../../ui/messages/Notice.tsx';
import { toast } from '../../ui/messages/Toasts.tsx';
import { DescriptionList } from '../../ui/page/Page.tsx';
import { Button, NativeSelect } from '../../ui/theme/mantine.ts';
import { LEVEL_LABELS, UserAvatar } from '../../ui/UserAvatar.tsx';
import { isLastAdmin, LEVEL_DESCRIPTIONS } from './rules.ts';
import styles from './UserPanel.module.css';
import { useInvitationProblem } from './useInvitationProblem.ts';

interface UserPanelProps {
  readonly userId: string | undefined;
  readonly onDone: () => void;
}

/** One teammate, with the actions of admins. */
export function UserPanel({ userId, onDone }: UserPanelProps) {
  const { user, users, isDemo } = useTeam();
  const person = users.find(({ id }) => id === userId);
  const mayAsk = user.data.level === 'admin' && !isDemo && person !== undefined && !person.data.invited;
  const { data: secondFactor } = useQuery({ ...secondFactorQuery(useSource(), userId ?? ''), enabled: mayAsk });
  if (!person) return <p>{t('This person was removed.')}</p>;
  const { displayName, emailAddress, created, createdBy, invited } = person.data;
  const why = reasonOf({ isAdmin: user.data.level === 'admin', isLast: isLastAdmin(users, person) });
  return (
    <div className={styles['panel']}>
      <div className={styles['who']}>
        <UserAvatar person={person} size={56} />
        <div>
          <h3>{displayName}</h3>
          <p>{emailAddress}</p>
        </div>
      </div>
      <DescriptionList
        of={{
          [t('Added')]: day(created),
          [t('Added by')]: person.id === createdBy ? t('Signed up themselves') : personName({ users }, createdBy),
          [t('Status')]: invited ? t('Invited, not joined yet') : t('Active'),
          [t('Two-step sign-in')]: secondFactor && (secondFactor.isOn ? t('On') : t('Off')),
        }}
      />
      {invited && <InvitationProblem person={person} />}
      {why && <Notice tone="plain">{why}</Notice>}
      <EditArea>
        <LevelForm person={person} isDisabled={why !== undefined} />
      </EditArea>
      {secondFactor?.isOn && person.id !== user.id && <ResetSecondFactor person={person} />}
      <RemoveUser person={person} isDisabled={why !== undefined} onRemoved={onDone} />
    </div>
  );
}

/** Shown if the invitation wasn't delivered, with a remedy. */
function InvitationProblem({ person }: { person: User }) {
  const problem = useInvitationProblem(person);
  return (
    <Notice tone="bad">
      {problem &&
        t('The invitation wasn’t delivered. {problem}. If the address is wrong, withdraw the invitation and invite them again.', {
          problem,
        })}
    </Notice>
  );
}

/** Returns why the panel is read-only, if it is. */
function reasonOf({ isAdmin, isLast }: Record<'isAdmin' | 'isLast', boolean>): string | undefined {
  if (!isAdmin) return t('Only admins can change who is on the team.');
  return isLast ? t('An account needs at least one admin. Make someone else an admin first.') : undefined;
}

/** Changes a person's level. The server checks again, because another admin may have changed it. */
function LevelForm({ person, isDisabled }: { person: User; isDisabled: boolean }) {
  const { user } = useTeam();
  const [chosen, setChosen] = useState<Level>();
  const level = chosen ?? person.data.level;
  const save = useAction('user', 'save');
  const isOwn = person.id === user.id;
  const name = person.data.displayName;

  const submit = () =>
    save.run({ payload: { id: person.id, data: { level } } }, () => {
      setChosen(undefined);
      toast(level === 'admin' ? t('{name} is now an admin.', { name }) : t('{name} is now a user.', { name }));
    });

  return (
    <Form onSubmit={() => void submit()}>
      <div className={styles['line']}>
        <NativeSelect
          label={t('Level')}
          description={t(LEVEL_DESCRIPTIONS[level])}
          data={LEVELS.map((value) => ({ value, label: t(LEVEL_LABELS[value]) }))}
          value={level}
          disabled={isDisabled}
          onChange={({ currentTarget }) => setChosen(currentTarget.value as Level)}
        />
        <Button type="submit" loading={save.isPending} disabled={isDisabled || level === person.data.level}>
          {t('Save level')}
        </Button>
      </div>
      {isOwn && level === 'user' && (
        <Notice tone="plain">
          {t('This is you. You’ll no longer be able to manage the team, and only another admin can change it back.')}
        </Notice>
      )}
      <Notice tone="bad">{save.failure}</Notice>
    </Form>
  );
}

/** Resets two-step sign-in for a teammate who lost their phone. */
function ResetSecondFactor({ person: { id, data } }: { person: User }) {
  const [isAsking, asking] = useLayer('reset-second-factor');
  const reset = useAction('user', 'resetSecondFactor');
  const fresh = useFreshSignIn(reset, t('For your safety, enter your password to reset it.'));
  const name = data.displayName;

  function onReset(): void {
    asking.close();
    toast(t('{name} now signs in with just a password.', { name }));
  }

  return (
    <div className={styles['danger']}>
      <Button variant="default" onClick={asking.open}>
        {t('Reset two-step sign-in')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={asking.close}
        title={t('Reset two-step sign-in for {name}?', { name })}
        inputs={[fresh]}
        action={{
          ...fresh.action,
          label: t('Reset two-step sign-in'),
          run: () => void fresh.run(() => reset.run({ userId: id }, onReset)),
        }}
      >
        {t(
          'Only do this if {name} asked you to. Call them to make sure. They’ll be signed out everywhere, get an email, and sign in with just the password until they set it up again.',
          { name },
        )}
      </ConfirmDialog>
    </div>
  );
}

interface RemoveUserProps {
  readonly person: User;
  readonly isDisabled: boolean;
  readonly onRemoved: () => void;
}

/** Removes a person from the team, after a warning that names them. */
function RemoveUser({ person: { id, data }, isDisabled, onRemoved }: RemoveUserProps) {
  const { user, signOut } = useTeam();
  const [isAsking, asking] = useLayer('remove-user');
  const remove = useAction('user', 'delete', { allowNotFound: true });
  const name = data.displayName;

  function onDeleted(): void {
    if (id === user.id) return void signOut();
    asking.close();
    onRemoved();
    toast(t('{name} was removed.', { name }));
  }

  return (
    <div className={styles['danger']}>
      <Button variant="default" {...(!isDisabled && { c: 'var(--c-danger-text)' })} disabled={isDisabled} onClick={asking.open}>
        {data.invited ? t('Withdraw invitation') : t('Remove user')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={asking.close}
        title={data.invited ? t('Withdraw the invitation to {name}?', { name }) : t('Remove {name}?', { name })}
        action={{
          ...remove,
          label: data.invited ? t('Withdraw invitation') : t('Remove user'),
          run: () => void remove.run({ userId: id }, onDeleted),
        }}
      >
        {data.invited
          ? t('The link emailed to {email} stops working.', { email: data.emailAddress })
          : t('{name} ({email}) is signed out everywhere and can no longer sign in. Everything they wrote stays.', {
              name,
              email: data.emailAddress,
            })}
      </ConfirmDialog>
    </div>
  );
}
