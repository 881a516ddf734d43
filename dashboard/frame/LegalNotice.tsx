import { Modal } from '../ui/mantine.ts';
import type { LegalPage } from './LegalLinks.tsx';

const NOTICES = {
  privacy: {
    title: 'Privacy policy',
    text: 'Whoever runs this installation has not linked a privacy policy yet. Ask them how they handle your data.',
  },
  terms: { title: 'Terms', text: 'Whoever runs this installation has not linked terms of service yet. Ask them which apply.' },
} as const satisfies Record<LegalPage, object>;

/** Whom to ask for a page of law that this installation does not have. */
export function LegalNotice({ page, onClose }: { page: LegalPage | undefined; onClose: () => void }) {
  const { title, text } = NOTICES[page ?? 'terms'];
  return (
    <Modal opened={page !== undefined} onClose={onClose} title={title}>
      {text}
    </Modal>
  );
}
