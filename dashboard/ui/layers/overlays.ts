/* Mantine's overlays with their positioning code, which load after the page. */
import './overlays.css';

export { Drawer, Menu, Modal, Popover } from '@mantine/core';
