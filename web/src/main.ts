import { install } from './friends/offline';
import '@fontsource/eb-garamond/400.css';
import '@fontsource/eb-garamond/400-italic.css';
import '@fontsource/eb-garamond/600.css';
import '@fontsource-variable/source-sans-3';
import './style/palette.css';
import './style/base.css';
import './style/map.css';
import './style/print.css';
import { mount } from 'svelte';
import App from './App.svelte';

const target = document.getElementById('app');
if (target) mount(App, { target });

install();
