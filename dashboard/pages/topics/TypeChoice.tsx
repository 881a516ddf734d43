import { useState } from 'react';
import { translatable } from '#contract/language/translate.ts';
import { BUSINESS_TYPES, type BusinessType } from '#contract/topic/topic.ts';
import { useAction } from '../../data/useAction.ts';
import { t } from '../../language.ts';
import { Form, Submit } from '../../ui/forms/Form.tsx';
import { toast } from '../../ui/messages/Toasts.tsx';
import { Card } from '../../ui/page/Page.tsx';
import { Radio } from '../../ui/theme/mantine.ts';

const LABELS = translatable({
  restaurant: 'Restaurant, café or bar',
  hotel: 'Hotel or guest house',
  shop: 'Shop',
  health: 'Practice, clinic or salon',
  other: 'Something else',
} satisfies Record<BusinessType, string>);

/** Creates the first topics for a type of business. */
export function TypeChoice() {
  const setUp = useAction('topic', 'setUp');
  const [type, setType] = useState<BusinessType>();
  return (
    <Card
      title={t('What is your business?')}
      lead={t('You start with topics that fit, in the languages of your forms and answers. You can change them all.')}
    >
      <Form
        label={t('What is your business?')}
        onSubmit={() => {
          if (type) void setUp.run({ businessType: type }, () => toast(t('Your topics are ready. Earlier answers are being counted.')));
        }}
      >
        <Radio.Group aria-label={t('Type of business')} value={type ?? ''} onChange={(value) => setType(value as BusinessType)}>
          {BUSINESS_TYPES.map((each) => (
            <Radio key={each} value={each} label={t(LABELS[each])} mt={8} />
          ))}
        </Radio.Group>
        <Submit missing={type ? undefined : t('Choose a type.')} isPending={setUp.isPending} failure={setUp.failure}>
          {t('Create topics')}
        </Submit>
      </Form>
    </Card>
  );
}
