import { Later, loadedLater } from '../page/Later.tsx';
import styles from './QrCode.module.css';

// The encoder loads with the first code.
const DrawnCode = loadedLater(() => import('./DrawnCode.tsx'), 'DrawnCode');

/** A QR code to scan from the screen. Its space is reserved while it loads. */
export const QrCode = (props: { readonly text: string; readonly label: string }) => (
  <Later waiting={<div className={styles['code']} />}>
    <DrawnCode {...props} />
  </Later>
);
