import { useState } from 'react';
import { useAction } from '../../data/useAction.ts';
import { t } from '../../language.ts';
import { clearLink, useMailedLink } from '../../session/link.ts';
import { Form, Lead, Submit } from '../../ui/forms/Form.tsx';
import { CenteredPage, FormResult, ViewHeading } from '../../ui/page/CenteredPage.tsx';
import { TextLink } from '../../ui/page/TextLink.tsx';

interface LinkActionWords {
  readonly title: string;
  readonly lead: string;
  /** The button's label. */
  readonly verb: string;
  readonly done: { readonly title: string; readonly text: string };
  /** The reason that the link no longer works. */
  readonly expired: string;
}

interface LinkActionProps {
  readonly to: 'keep-two-step' | 'not-me';
  readonly action: 'refuseSecondFactorReset' | 'lock';
  readonly words: LinkActionWords;
}

/** Performs the action of an emailed link. It needs a click, because mail apps also open links. */
export function LinkAction({ to, ...rest }: LinkActionProps) {
  const { link } = useMailedLink();
  return link?.to === to && <Confirmation key={link.key} by={link.key} {...rest} />;
}

function Confirmation({ by, action, words }: Omit<LinkActionProps, 'to'> & { readonly by: string }) {
  const { title, lead, verb, done, expired } = words;
  const [outcome, setOutcome] = useState<'done' | 'expired'>();
  const act = useAction('user', action, { allowNotFound: true });
  // A 404 means that the link was used or has expired.
  const submit = () => void act.run({ key: by }, ({ status }: { status: string }) => setOutcome(status === 'ok' ? 'done' : 'expired'));

  return (
    <CenteredPage below={<TextLink onClick={clearLink}>{t('Go to sign-in')}</TextLink>}>
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
      {outcome === 'expired' && <FormResult title={t('This link is no longer valid')}>{expired}</FormResult>}
    </CenteredPage>
  );
}
