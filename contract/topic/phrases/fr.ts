import type { PresetPhrases } from '../preset.ts';

export const fr: PresetPhrases = {
  staff: ['personnel', 'serveur*', 'serveuse*', 'employés', 'l’équipe', 'une équipe', 'vendeu*', 'caissi*', 'réceptionniste*'],
  service: ['service', 'accueil', 'accueillant*', 'aimable*', 'désagréable*', 'impoli*', 'attentionné*', 'serviable*', 'à l’écoute'],
  wait: ['attente', 'attendre', 'attendu', 'la queue', 'lent', 'lente', 'lenteur', 'trop long', 'retard*'],
  price: ['prix', 'tarif*', 'cher', 'chère', 'onéreux', 'abordable*', 'addition', 'coûteux', 'facture'],
  cleanliness: ['propre', 'propres', 'propreté', 'sale', 'sales', 'saleté*', 'hygièn*', 'impeccable*', 'crasseu*'],
  product: ['produit', 'produits', 'qualité', 'cassé', 'défectueu*', 'abîmé', 'marchandise*', 'article', 'articles'],
  food: ['nourriture', 'repas', 'plat', 'plats', 'cuisine', 'café', 'boisson*', 'délicieu*', 'savoureu*'],
  atmosphere: ['ambiance*', 'atmosphère', 'chaleureux', 'cosy', 'décor*', 'musique', 'convivial*', 'cadre'],
  room: ['chambre', 'chambres', 'le lit', 'lits', 'literie', 'salle de bain', 'douche*', 'matelas', 'oreiller*'],
  breakfast: ['petit déjeuner', 'petits déjeuners', 'petit déj', 'buffet*', 'brunch*', 'croissant*', 'viennoiserie*'],
  noise: ['bruit', 'bruits', 'bruyant*', 'calme', 'insonoris*', 'silence', 'silencieu*', 'nuisances sonores', 'isolation phonique'],
  selection: ['choix', 'gamme', 'variété', 'varié', 'assortiment*', 'en stock', 'rupture de stock', 'en rayon'],
  appointment: ['rendez-vous', 'rdv', 'réservation*', 'annulé', 'reporté', 'ponctuel', 'ponctualité', 'créneau*'],
};
