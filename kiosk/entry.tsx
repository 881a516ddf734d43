import { createRoot } from 'react-dom/client';
import { KIOSK_PATH, KIOSK_WORKER } from '#contract/kiosk/kiosk-page.ts';
import { workerAddress } from '../form/offline/worker-address.ts';
import { Kiosk } from './Kiosk.tsx';
import './kiosk.css';
import { openTablet } from './tablet.ts';

const root = document.getElementById('kiosk');
const { dataset } = document.documentElement;
const version = dataset['version'] ?? '';
if (root) createRoot(root).render(<Kiosk tablet={openTablet(version)} version={version} onRunning={keepPage} />);

/** Makes this version the one that opens without a network. Called once it runs. */
function keepPage(): void {
  dataset['live'] = '';
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  void serviceWorker.ready.then(({ active }) => active?.postMessage({ works: version }));
  // Without a worker it still works while there is a network.
  serviceWorker.register(workerAddress('kiosk-worker', KIOSK_WORKER), { scope: KIOSK_PATH, updateViaCache: 'none' }).catch(() => undefined);
}
