import { useAction } from '../../data/useAction.ts';
import { useTeam } from '../../frame/team.ts';
import { RenameForm } from '../../ui/RenameForm.tsx';
import { toast } from '../../ui/Toasts.tsx';

/** The company's name, as the team sees it. */
export function Rename() {
  const { account, isDemo } = useTeam();
  const { id, data } = account;
  const save = useAction('account', 'save');
  return (
    <RenameForm
      key={data.displayName}
      label="Company name"
      autoComplete="organization"
      name={data.displayName}
      isOff={isDemo}
      action={save}
      onName={(displayName) => void save.run({ payload: { id, data: { displayName } } }, () => toast('The company name is saved.'))}
    />
  );
}
