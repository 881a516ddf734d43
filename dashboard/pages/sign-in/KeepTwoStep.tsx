import { useState } from 'react';
import { useAction } from '../../data/useAction.ts';
import { clearLink, useMailedLink } from '../../session/link.ts';
import { CenteredPage, FormResult, ViewHeading } from '../../ui/CenteredPage.tsx';
import { Form, Lead, Submit } from '../../ui/Form.tsx';
import { TextLink } from '../../ui/TextLink.tsx';

/** Refuses the reset that an operator asked for, by the link from the mail: with a button, for mail programs open links too. */
export function KeepTwoStep() {
  const { link } = useMailedLink();
  return link?.to === 'keep-two-step' && <Keep key={link.key} by={link.key} />;
}

function Keep({ by }: { by: string }) {
  const [outcome, setOutcome] = useState<'kept' | 'over'>();
  const refuse = useAction('user', 'refuseSecondFactorReset', { allowNotFound: true });

  function submit(): void {
    // Not found travels as an answer: the reset was refused, withdrawn or done before.
    void refuse.run({ key: by }, ({ status }: { status: string }) => setOutcome(status === 'ok' ? 'kept' : 'over'));
  }

  return (
    <CenteredPage below={<TextLink onClick={clearLink}>Go to the sign-in</TextLink>}>
      {outcome === undefined && (
        <Form onSubmit={submit}>
          <ViewHeading>Keep two-step sign-in?</ViewHeading>
          <Lead>Somebody asked to turn it off because you lost your phone. If that wasn’t you, keep it on.</Lead>
          <Submit isPending={refuse.isPending} failure={refuse.failure}>
            Keep two-step sign-in
          </Submit>
        </Form>
      )}
      {outcome === 'kept' && (
        <FormResult title="Two-step sign-in stays on">
          The request is refused. If you don’t know who made it, change your password.
        </FormResult>
      )}
      {outcome === 'over' && (
        <FormResult title="This link is no longer valid">The request was refused or withdrawn before, or it was carried out.</FormResult>
      )}
    </CenteredPage>
  );
}
