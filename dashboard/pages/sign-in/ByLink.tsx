import { useState } from 'react';
import { useAction } from '../../data/useAction.ts';
import { clearLink, useMailedLink } from '../../session/link.ts';
import { Form, Lead, Submit } from '../../ui/forms/Form.tsx';
import { CenteredPage, FormResult, ViewHeading } from '../../ui/page/CenteredPage.tsx';
import { TextLink } from '../../ui/page/TextLink.tsx';

interface ByLinkWords {
  readonly title: string;
  readonly lead: string;
  /** Of the button. */
  readonly verb: string;
  readonly done: { readonly title: string; readonly text: string };
  /** Why the link does nothing any more. */
  readonly over: string;
}

interface ByLinkProps {
  readonly to: 'keep-two-step' | 'not-me';
  readonly action: 'refuseSecondFactorReset' | 'lock';
  readonly words: ByLinkWords;
}

/** Does one thing by the key of a mailed link: with a button, for mail programs open links too. */
export function ByLink({ to, ...rest }: ByLinkProps) {
  const { link } = useMailedLink();
  return link?.to === to && <Confirmation key={link.key} by={link.key} {...rest} />;
}

function Confirmation({ by, action, words }: Omit<ByLinkProps, 'to'> & { readonly by: string }) {
  const { title, lead, verb, done, over } = words;
  const [outcome, setOutcome] = useState<'done' | 'over'>();
  const act = useAction('user', action, { allowNotFound: true });
  // Not found travels as an answer: the link was used before, or is over.
  const submit = () => void act.run({ key: by }, ({ status }: { status: string }) => setOutcome(status === 'ok' ? 'done' : 'over'));

  return (
    <CenteredPage below={<TextLink onClick={clearLink}>Go to sign-in</TextLink>}>
      {outcome === undefined && (
        <Form onSubmit={submit}>
          <ViewHeading>{title}</ViewHeading>
          <Lead>{lead}</Lead>
          <Submit isPending={act.isPending} failure={act.failure}>
            {verb}
          </Submit>
        </Form>
      )}
      {outcome === 'done' && <FormResult title={done.title}>{done.text}</FormResult>}
      {outcome === 'over' && <FormResult title="This link is no longer valid">{over}</FormResult>}
    </CenteredPage>
  );
}
