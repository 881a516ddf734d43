import { useAction } from '../../data/useAction.ts';
import { useTeam } from '../../frame/team.ts';
import { RenameForm } from '../../ui/RenameForm.tsx';
import { toast } from '../../ui/Toasts.tsx';

/** How the team calls one. */
export function Name() {
  const { user, isDemo } = useTeam();
  const { id, data } = user;
  const save = useAction('user', 'save');
  return (
    <RenameForm
      key={data.displayName}
      label="Name"
      autoComplete="name"
      name={data.displayName}
      isOff={isDemo}
      action={save}
      onName={(displayName) => void save.run({ payload: { id, data: { displayName } } }, () => toast('Your name is saved.'))}
    />
  );
}
