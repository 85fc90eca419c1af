// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRemitHub} from "../../../src/interfaces/IRemitHub.sol";
import {Limits} from "./Limits.sol";

/// @notice Treasuries change with a delay in which they can be vetoed, and treasuries distribute
///         themselves after an announcement.
abstract contract Registering is Limits {
    struct Announced {
        uint64 readyAt;
        bool isVetoed;
        bool isOwners;
    }

    uint8 private constant REGISTRY_STOP = 8;

    uint256 public changes;
    uint256 public vetoes;
    uint256 public ownDistributions;
    uint32 internal configDelay;
    bool internal hasConfigSigner = true;
    mapping(uint256 merchant => uint32) internal newestSigned;
    mapping(uint256 merchant => mapping(uint32 version => Announced)) internal announced;

    mapping(uint256 merchant => IRemitHub.MerchantConfig[]) private _entries;
    mapping(uint256 merchant => uint64) private _announcedAt;

    /// @dev The holder of the key signs another entry.
    function signEntry(uint256 seed) external {
        uint256 m = seed % MERCHANTS;
        IRemitHub.MerchantConfig memory config =
            entry(merchantOf(m), treasury(m, (seed >> 8) % TREASURIES), ++newestSigned[m]);
        _entries[m].push(config);
        _submit(m, config);
    }

    /// @dev Any entry that was ever signed, again; the newest most often.
    function submitAgain(uint256 seed) external {
        uint256 m = seed % MERCHANTS;
        uint256 n = _entries[m].length;
        if (n == 0) return;
        uint256 i = seed >> 8 & 1 == 0 ? n - 1 : (seed >> 16) % n;
        _submit(m, _entries[m][i]);
    }

    /// @dev Waits for the delay of the pending change, then submits.
    function submitWhenReady(uint256 seed) external {
        uint256 m = seed % MERCHANTS;
        (,,,, uint64 readyAt) = hub.pendingChanges(merchantOf(m));
        uint256 early = seed >> 8 & 1;
        if (readyAt != 0 && readyAt - early > block.timestamp) vm.warp(readyAt - early);
        if (_entries[m].length != 0) _submit(m, _entries[m][_entries[m].length - 1]);
    }

    function vetoChange(uint256 seed) external {
        uint256 m = seed % MERCHANTS;
        bytes memory call = abi.encodeCall(hub.veto, (merchantOf(m)));
        vm.assertFalse(tryAs(STRANGER, call), "not a stranger");
        (,,, uint32 version, uint64 readyAt) = hub.pendingChanges(merchantOf(m));
        bool ok = tryAs(seed >> 8 & 1 == 0 ? roles.guardian : roles.owner, call);
        vm.assertTrue(ok == (readyAt != 0), "a change that pends");
        if (!ok) return;
        announced[m][version].isVetoed = true;
        ++vetoes;
    }

    function announce(uint256 seed) external {
        uint256 m = seed % MERCHANTS;
        bytes memory call = abi.encodeCall(hub.announceDistribution, (merchantOf(m)));
        vm.assertFalse(tryAs(STRANGER, call), "not a stranger");
        vm.assertTrue(tryAs(treasuries[m], call), "the treasury");
        _announcedAt[m] = uint64(block.timestamp);
    }

    /// @dev Once, after the delay and within a day.
    function distributeAsTreasury(uint256 seed) external {
        uint256 m = seed % MERCHANTS;
        uint256 expected = _announcedAt[m] + configDelay - (seed >> 9 & 1);
        bool waits = seed >> 8 & 1 == 0 && _announcedAt[m] != 0;
        if (waits && expected > block.timestamp) vm.warp(expected);
        if (!distributeChecked(treasuries[m], goodToken(seed), m, versions[m])) return;
        uint256 ripe = _announcedAt[m] + configDelay;
        vm.assertTrue(_announcedAt[m] != 0, "announced, and not used yet");
        vm.assertTrue(block.timestamp >= ripe, "not before its delay");
        vm.assertTrue(block.timestamp <= ripe + 1 days, "not later than a day");
        _announcedAt[m] = 0;
        ++ownDistributions;
    }

    /// @dev After every call: the entry is what it was after the last action that may change it,
    ///      and it waits while a change pends.
    function checkEntry(uint256 m) internal view {
        (address current,,, uint32 version, bool changing) = hub.merchants(merchantOf(m));
        vm.assertEq(current, treasuries[m], "treasury");
        vm.assertEq(version, versions[m], "version");
        vm.assertTrue(changing == isWaiting(m), "it waits while a change pends");
    }

    /// @dev For every way of writing an entry: no treasury is active before its delay or after a veto.
    function noteEntry(uint256 m) internal {
        (address current,,, uint32 version,) = hub.merchants(merchantOf(m));
        vm.assertTrue(version >= versions[m], "versions only grow");
        if (version == versions[m]) {
            vm.assertEq(current, treasuries[m], "no change without a version");
        } else if (current != treasuries[m]) {
            Announced memory change = announced[m][version];
            bool waited = change.readyAt != 0 && block.timestamp >= change.readyAt;
            vm.assertTrue(change.isOwners || waited, "not before its delay");
            vm.assertTrue(change.isOwners || !change.isVetoed, "not after a veto");
            ++changes;
        }
        (treasuries[m], versions[m]) = (current, version);
    }

    function isWaiting(uint256 m) internal view override returns (bool) {
        (,,,, uint64 readyAt) = hub.pendingChanges(merchantOf(m));
        return readyAt != 0;
    }

    function replayEntry(uint256 seed) internal override {
        uint256 m = seed % MERCHANTS;
        for (uint256 i; i < _entries[m].length; ++i) {
            if (_entries[m][i].version > versions[m]) return;
            configure(_entries[m][i], signedConfig(_entries[m][i], roles.configKey));
        }
    }

    function _submit(uint256 m, IRemitHub.MerchantConfig memory config) private {
        configure(config, signedConfig(config, roles.configKey));
        (,,, uint32 version, uint64 readyAt) = hub.pendingChanges(merchantOf(m));
        Announced storage change = announced[m][config.version];
        if (readyAt != 0 && version == config.version && change.readyAt == 0) {
            change.readyAt = uint64(block.timestamp) + configDelay;
        }
        if (isStopped(REGISTRY_STOP) || !hasConfigSigner) {
            vm.assertEq(treasuryOf(config.merchantId), treasuries[m], "nothing is registered");
            vm.assertEq(versionOf(config.merchantId), versions[m], "nor any version");
        }
        noteEntry(m);
    }
}
