import { Later, loadedLater } from '../page/Later.tsx';
import styles from './QrCode.module.css';

// What makes codes comes with the first that is shown.
const DrawnCode = loadedLater(() => import('./DrawnCode.tsx'), 'DrawnCode');

/** A code to scan from the screen. Its room is there before it is. */
export const QrCode = (props: { readonly text: string; readonly label: string }) => (
  <Later waiting={<div className={styles['code']} />}>
    <DrawnCode {...props} />
  </Later>
);
