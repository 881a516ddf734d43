import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../Frame.tsx';
import { Action, NotYou, Paragraph, Title } from '../parts.tsx';

export function AddressChanged({ when, device, lock, link }: Mails['address-changed']) {
  return (
    <Frame
      title="Your address was changed"
      preview="You sign in with another address now."
      why="You’re getting this because this was your address until now."
    >
      <Title>Your address was changed</Title>
      <Paragraph>You sign in to Afterword with another address from now on.</Paragraph>
      {when !== undefined && device !== undefined && lock !== undefined ? (
        <NotYou when={when} device={device} lock={lock} gives="This address is yours to sign in with again." />
      ) : (
        <>
          <Paragraph>
            If you did not change it, ask an admin of your team to remove your access, and answer nobody who asks for your password.
          </Paragraph>
          <Action to={link}>Open Afterword</Action>
        </>
      )}
    </Frame>
  );
}
