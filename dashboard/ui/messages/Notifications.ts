/* A separate file, so that Mantine's notifications load after the page. */
import './notifications.css';

export { Notifications } from '@mantine/notifications';
