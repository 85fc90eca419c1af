// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRemitHub} from "../../../src/interfaces/IRemitHub.sol";
import {Disruptions} from "./Disruptions.sol";

/// @notice Every key is replaced again and again, without a delay, and those that were replaced try
///         what they could do before. The registry's entries change meanwhile.
abstract contract Rotations is Disruptions {
    IRemitHub.MerchantConfig private _oldEntry;
    bytes private _oldEntrySignature;

    function replaceKey(uint256 seed) external {
        uint256 kind = seed % 6;
        uint256 next = seed >> 8;
        if (kind == 0) {
            roles.configKey = CONFIG_KEY + next % TURNS;
            _asOwner(abi.encodeCall(hub.setConfigSigner, (vm.addr(roles.configKey))));
        } else if (kind == 1) {
            roles.refundKey = REFUND_KEY + next % TURNS;
            _asOwner(abi.encodeCall(hub.setRefundSigner, (vm.addr(roles.refundKey))));
        } else if (kind == 2) {
            roles.guardian = turn(GUARDIAN, next);
            _asOwner(abi.encodeCall(hub.setGuardian, (roles.guardian)));
        } else if (kind == 3) {
            _asOwner(abi.encodeCall(hub.setOperator, (roles.operator, false)));
            roles.operator = turn(RELAYER, next);
            _asOwner(abi.encodeCall(hub.setOperator, (roles.operator, true)));
        } else if (kind == 4) {
            roles.collector = turn(COLLECTOR, next);
            _asOwner(abi.encodeCall(hub.setFeeCollector, (roles.collector)));
        } else {
            _replaceOwner(turn(OWNER, next));
        }
    }

    /// @dev Accounts without a role, or without it any more, try everything.
    function forge(uint256 seed) external {
        bytes32 before = fingerprint();
        uint256 m = seed % MERCHANTS;
        IRemitHub.MerchantConfig memory config = entry(merchantOf(m), STRANGER, versions[m] + 1);
        configure(config, signedConfig(config, _wrongKey(CONFIG_KEY, roles.configKey, seed)));
        IRemitHub.DepositRefund memory item = anyRefund(seed);
        (item.refund.to, item.refund.amount) = (STRANGER, 1);
        item.signature = signed(item.refund, _wrongKey(REFUND_KEY, roles.refundKey, seed));
        refund(item);
        _tryWhatRolesMay(seed);
        vm.assertEq(fingerprint(), before, "a forgery moves nothing");
        vm.assertFalse(hub.isRefundSpent(item.refund.refundId), "nor is anything spent");
    }

    /// @dev Active at once here. A version in between was never signed, or never came.
    function changeTreasury(uint256 seed) external {
        uint256 m = seed % MERCHANTS;
        IRemitHub.MerchantConfig memory config = entry(
            merchantOf(m),
            treasury(m, (seed >> 8) % TREASURIES),
            versions[m] + 1 + uint32((seed >> 16) % 3)
        );
        if (seed >> 24 & 15 == 0) config.version = versions[m] + 1_001;
        if (seed >> 28 & 15 == 0) config.treasury = forwarders[m];
        if (seed >> 32 & 15 == 0) config.feeBps = 1_001;
        bytes memory signature = signedConfig(config, roles.configKey);
        configure(config, signature);
        bool isGood = config.version <= versions[m] + 1_000 && config.feeBps == FEE_BPS
            && config.treasury != forwarders[m] && !isStopped(8);
        if (isGood) {
            (treasuries[m], versions[m]) = (config.treasury, config.version);
            (_oldEntry, _oldEntrySignature) = (config, signature);
        }
        checkEntry(m);
    }

    function checkEntry(uint256 m) internal view {
        (address current,,, uint32 version, bool changing) = hub.merchants(merchantOf(m));
        vm.assertEq(current, treasuries[m], "the newest treasury that was signed");
        vm.assertEq(version, versions[m], "and its version");
        vm.assertFalse(changing, "at once");
    }

    function isWaiting(uint256) internal pure override returns (bool) {
        return false;
    }

    function replayEntry(uint256) internal override {
        if (_oldEntry.version != 0) configure(_oldEntry, _oldEntrySignature);
    }

    function _asOwner(bytes memory call) private {
        vm.assertFalse(tryAs(STRANGER, call), "not a stranger");
        vm.assertFalse(tryAs(roles.guardian, call), "not the guardian");
        vm.assertTrue(tryAs(roles.owner, call), "the owner");
    }

    function _replaceOwner(address next) private {
        _asOwner(abi.encodeCall(hub.transferOwnership, (next)));
        bytes memory call = abi.encodeCall(hub.acceptOwnership, ());
        vm.assertFalse(tryAs(STRANGER, call), "only who was named");
        vm.assertTrue(tryAs(next, call), "who was named");
        roles.owner = next;
    }

    /// @dev A key of the same role in another turn, or any.
    function _wrongKey(uint256 first, uint256 current, uint256 seed)
        private
        pure
        returns (uint256 key)
    {
        key = seed >> 8 & 1 == 0 ? first + (seed >> 9) % TURNS : within(seed, 1, type(uint64).max);
        return key == current ? key + TURNS : key;
    }

    /// @dev The guardian, the operator and the owner of another turn; not all of them are others.
    function _tryWhatRolesMay(uint256 seed) private {
        uint256 next = seed >> 16;
        IRemitHub.Sweep memory item = anySweep(seed);
        item.amount = balance(item.token, depositOf(item));
        address someone = turn(RELAYER, next);
        if (someone != roles.operator) {
            vm.assertFalse(
                tryAs(someone, abi.encodeCall(hub.sweep, (batch(item), plenty()))),
                "a former operator"
            );
        }
        someone = turn(GUARDIAN, next);
        if (someone != roles.guardian) {
            vm.assertFalse(tryAs(someone, abi.encodeCall(hub.stop, (255))), "a former guardian");
        }
        someone = turn(OWNER, next);
        if (someone != roles.owner) {
            vm.assertFalse(
                tryAs(someone, abi.encodeCall(hub.setOperator, (STRANGER, true))), "a former owner"
            );
        }
    }
}
