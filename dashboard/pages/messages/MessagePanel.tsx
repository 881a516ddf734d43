import { IconPhoto, IconX } from '@tabler/icons-react';
import { useRouterState } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { boolean, object, optional, string } from 'valibot';
import { writtenText } from '#contract/core/schema.ts';
import { translatable } from '#contract/language/translate.ts';
import type { MessageKind } from '#contract/message/message.ts';
import { LARGEST_PICTURE } from '#contract/user/user.ts';
import { newKey } from '../../data/idempotency.ts';
import { useAction } from '../../data/useAction.ts';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { FileInput, PICTURES, UNREADABLE } from '../../ui/forms/FileInput.tsx';
import { Form, Lead, Submit } from '../../ui/forms/Form.tsx';
import { readPicture } from '../../ui/forms/picture.ts';
import { useForm } from '../../ui/forms/useForm.ts';
import { Notice } from '../../ui/messages/Notice.tsx';
import { toast } from '../../ui/messages/Toasts.tsx';
import { DescriptionList } from '../../ui/page/Page.tsx';
import { Button, Checkbox, Textarea } from '../../ui/theme/mantine.ts';
import styles from './MessagePanel.module.css';

interface MessagePanelProps {
  readonly onDone: () => void;
}

export const FeedbackPanel = ({ onDone }: MessagePanelProps) => <MessageForm kind="feedback" onDone={onDone} />;
export const BugPanel = ({ onDone }: MessagePanelProps) => <MessageForm kind="bug" onDone={onDone} />;

const WORDS = translatable({
  feedback: { label: 'What would you like to tell us?', lead: 'What works, what’s missing, and what gets in your way.' },
  bug: { label: 'What happened?', lead: 'What you did, what you expected, and what you saw instead.' },
} satisfies Record<MessageKind, { readonly label: string; readonly lead: string }>);

/** The longest side of a sent screenshot (px). */
const SCREEN = 1600;

const schema = object({ text: writtenText, mayReply: boolean(), screenshot: optional(string()) });

/** A message to the operators. Shows everything it includes. */
function MessageForm({ kind, onDone }: MessagePanelProps & { kind: MessageKind }) {
  const { user } = useTeam();
  // One key, so that retries create one message.
  const [idempotencyKey] = useState(newKey);
  const save = useAction('message', 'save');
  const [screenshot, setScreenshot] = useState<string>();
  const page = usePageBelow();
  const form = useForm({ initialValues: { text: '', mayReply: false }, schema, action: save, closes: true });
  const { label, lead } = WORDS[kind];
  const sent = { kind, url: page, userAgent: navigator.userAgent.slice(0, 500) };

  const submit = form.onSubmit(({ text, mayReply }) => {
    const data = { ...sent, text, mayReply, ...(screenshot !== undefined && { screenshot }) };
    void save.run({ idempotencyKey, payload: { data } }, () => {
      onDone();
      toast(t('Thank you. Message sent.'));
    });
  });

  return (
    <Form onSubmit={submit}>
      <Lead>{t(lead)}</Lead>
      <Textarea
        label={t(label)}
        autosize
        minRows={5}
        maxRows={14}
        dir="auto"
        errorProps={{ role: 'alert' }}
        {...form.getInputProps('text')}
      />
      <Screenshot value={screenshot} onChange={setScreenshot} problem={save.problemOf('screenshot')} />
      <Checkbox
        label={t('You may reply to me at {email}', { email: user.data.emailAddress })}
        {...form.getInputProps('mayReply', { type: 'checkbox' })}
      />
      <section className={styles['along']} aria-label={t('Included')}>
        <h3>{t('Included')}</h3>
        <DescriptionList of={{ [t('Page')]: page, [t('Browser')]: sent.userAgent, [t('From')]: user.data.displayName }} />
      </section>
      <Submit isPending={save.isPending} failure={save.failure}>
        {t('Send')}
      </Submit>
    </Form>
  );
}

/** Returns the path and query of the page below the panel. */
function usePageBelow(): string {
  return useRouterState({
    select: ({ location: { pathname, searchStr } }) => {
      const search = new URLSearchParams(searchStr);
      search.delete('panel');
      return `${pathname}${search.size > 0 ? `?${search}` : ''}`.slice(0, 500);
    },
  });
}

interface ScreenshotProps {
  readonly value: string | undefined;
  readonly onChange: (picture: string | undefined) => void;
  readonly problem: string | undefined;
}

/** An optional screenshot, with a preview. */
function Screenshot({ value, onChange, problem }: ScreenshotProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isReading, setReading] = useState(false);
  const [isUnreadable, setUnreadable] = useState(false);

  async function read(file: File): Promise<void> {
    setReading(true);
    const picture = await readPicture(file, { longest: SCREEN, most: LARGEST_PICTURE });
    setReading(false);
    setUnreadable(picture === undefined);
    if (picture !== undefined) onChange(picture);
  }

  return (
    <div className={styles['screenshot']}>
      {value !== undefined && <img src={value} alt={t('The screenshot to send')} />}
      <div className={styles['buttons']}>
        <Button
          variant="default"
          leftSection={<IconPhoto size={16} aria-hidden />}
          loading={isReading}
          onClick={() => input.current?.click()}
        >
          {value === undefined ? t('Add a screenshot') : t('Choose another')}
        </Button>
        {value !== undefined && (
          <Button variant="subtle" leftSection={<IconX size={16} aria-hidden />} onClick={() => onChange(undefined)}>
            {t('Remove')}
          </Button>
        )}
      </div>
      <FileInput ref={input} accept={PICTURES} label={t('Screenshot')} onChoose={read} />
      <Notice tone="bad">{isUnreadable ? t(UNREADABLE) : problem}</Notice>
    </div>
  );
}
