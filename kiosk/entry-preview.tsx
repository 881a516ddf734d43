import { createRoot } from 'react-dom/client';
import { Preview } from './Preview.tsx';
import './kiosk.css';

const root = document.getElementById('kiosk');
if (root) createRoot(root).render(<Preview />);
