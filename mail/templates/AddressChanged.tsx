import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, NotYou, Paragraph, Title } from '../parts.tsx';

export function AddressChanged({ when, device, lock, link }: Mails['address-changed']) {
  return (
    <Frame
      title="Your address was changed"
      preview="You now sign in with a different address."
      why="You’re getting this because this was your address until now."
    >
      <Title>Your address was changed</Title>
      <Paragraph>You now sign in to Afterword with a different address.</Paragraph>
      {when !== undefined && device !== undefined && lock !== undefined ? (
        <NotYou when={when} device={device} lock={lock} gives="You can sign in with this address again." />
      ) : (
        <>
          <Paragraph>
            If you didn’t change it, ask an admin of your team to remove your access, and don’t share your password with anyone.
          </Paragraph>
          <Action to={link}>Open Afterword</Action>
        </>
      )}
    </Frame>
  );
}
