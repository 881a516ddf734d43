import type { Property } from '#contract/property/property.ts';
import type { Tool } from '#contract/tool/tool.ts';
import { t } from '../../../language.ts';
import { Dialog } from '../../../ui/layers/Dialog.tsx';
import { Later, loadedLater } from '../../../ui/page/Later.tsx';

// Contains the form's words in all languages.
const EmbedFields = loadedLater(() => import('./EmbedFields.tsx'), 'EmbedFields');

interface EmbedDialogProps {
  readonly property: Property;
  /** The placement whose snippet is shown; undefined to choose or add one. */
  readonly tool?: Tool;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Composes what an owner copies into a website or a mail. */
export const EmbedDialog = ({ property, tool, isOpen, onClose }: EmbedDialogProps) => (
  <Dialog
    isOpen={isOpen}
    onClose={onClose}
    title={tool ? t('Snippet for {name}', { name: tool.data.displayName }) : t('Add to your website')}
    size="lg"
  >
    <Later>
      <EmbedFields property={property} tool={tool} />
    </Later>
  </Dialog>
);
