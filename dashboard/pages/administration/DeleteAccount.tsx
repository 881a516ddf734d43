import { useNavigate } from '@tanstack/react-router';
import { useAction } from '../../data/useAction.ts';
import { useTeam } from '../../frame/team.ts';
import { paths } from '../../paths.ts';
import { signOut } from '../../session/session.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Button, useDisclosure } from '../../ui/mantine.ts';
import { Card } from '../../ui/Page.tsx';

/** The end of the account, after its name was typed. */
export function DeleteAccount() {
  const navigate = useNavigate();
  const { account, properties, users, isDemo } = useTeam();
  const [isAsking, asking] = useDisclosure();
  const remove = useAction('account', 'delete', { mayBeGone: true });
  const { displayName } = account.data;

  async function leave(): Promise<void> {
    await signOut().catch(() => undefined);
    await navigate({ to: paths.feed, replace: true });
  }

  return (
    <Card
      title="Delete account"
      tone="danger"
      lead="Everything is out of reach at once, and gone for good after seven days."
      action={
        <Button variant="default" c="var(--c-danger-text)" disabled={isDemo} onClick={asking.open}>
          Delete account
        </Button>
      }
    >
      <ConfirmDialog
        isOpen={isAsking}
        onClose={asking.close}
        title={`Delete ${displayName}?`}
        typed={displayName}
        verb="Delete account"
        action={remove}
        onConfirm={() => void remove.run({ accountId: account.id, displayName }, () => void leave())}
      >
        {counted(properties.length, 'property', 'properties')} with all feedback and {counted(users.length, 'user', 'users')} go. Forms
        close, and nobody of the team can sign in.
      </ConfirmDialog>
    </Card>
  );
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
