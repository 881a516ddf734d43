import type { FormProps } from '#contract/form/form-page.ts';
import { Logo } from './Logo.tsx';

/** The logo or name of the business, and the name of the place; one name if they are the same. */
export function Place({ business, place, look }: Pick<FormProps, 'business' | 'place' | 'look'>) {
  if (look?.logo)
    return (
      <>
        <Logo {...look.logo} /> {place}
      </>
    );
  return business.trim() === place.trim() ? (
    <b>{place}</b>
  ) : (
    <>
      <b>{business}</b> {place}
    </>
  );
}
